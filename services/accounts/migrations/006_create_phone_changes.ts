import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each new number gets a text, so changes are limited: they cost us money and bother strangers.
  await sql`create table phone_changes (
    user_id uuid not null references users (id) on delete cascade,
    changed_at timestamptz not null
  )`.execute(db);
  await sql`create index phone_changes_of_user on phone_changes (user_id, changed_at)`.execute(db);
}

import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Calls of subscribers that are limited because each costs a text, an email or a large query.
  await sql`create table limited_calls (
    user_id uuid not null references users (id) on delete cascade,
    call text not null check (call in ('consent-request', 'letter', 'export')),
    called_at timestamptz not null
  )`.execute(db);
  await sql`create index limited_calls_of_user on limited_calls (user_id, call, called_at)`.execute(
    db,
  );
}

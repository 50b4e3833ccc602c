import { type Kysely, sql } from 'kysely';

/** Why a subscriber's texts wait until the number is confirmed again, and since when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table users add column unreachable text
      check (unreachable in ('landline', 'undelivered', 'disconnected', 'inactive')),
      add column unreachable_since timestamptz`,
    'create index users_unreachable on users (registered_at, id) where unreachable is not null',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

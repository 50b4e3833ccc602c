import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a subscriber may ask for only so often, because it costs a text, a letter or much reading.
  await sql`create table limited_calls (
    user_id uuid not null references users (id) on delete cascade,
    call text not null check (call in ('consent-request', 'letter', 'export')),
    called_at timestamptz not null
  )`.execute(db);
  await sql`create index limited_calls_of_user on limited_calls (user_id, call, called_at)`.execute(
    db,
  );
}

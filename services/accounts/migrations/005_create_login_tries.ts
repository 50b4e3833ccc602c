import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By account, or by a keyed hash of an unknown login, so both are limited alike.
  await sql`create table login_tries (
    key text primary key,
    failures integer not null,
    under_way integer not null,
    last_try_at timestamptz not null,
    blocked_until timestamptz not null
  )`.execute(db);
  await sql`create index login_tries_age on login_tries (last_try_at)`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The key is a hash of the account and the client's network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table known_clients (key text primary key, seen_at timestamptz not null)`.execute(
    db,
  );
  await sql`create index known_clients_seen_at on known_clients (seen_at)`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The client that requested a message, by keyed hash, so each network has its own limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table address_calls add column client_hash text`.execute(db);
}

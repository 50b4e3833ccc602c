import { type Kysely, sql } from 'kysely';

/** Who requested messages to an address, by keyed hash, so strangers can't use up its holder's limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table address_calls add column caller_hash text`.execute(db);
}

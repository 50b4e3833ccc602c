import { type Kysely, sql } from 'kysely';

/** Who had a message sent to an address, by keyed hash: a stranger must not use up what its holder may ask for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table address_calls add column caller_hash text`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Keyed hash of the number a text must go to, even if the account's number changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts add column pinned_hash text`.execute(db);
}

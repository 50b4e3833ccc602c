import { type Kysely, sql } from 'kysely';

/** Keyed hash of the number that a text stays with, whatever number its account has by then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts add column pinned_hash text`.execute(db);
}

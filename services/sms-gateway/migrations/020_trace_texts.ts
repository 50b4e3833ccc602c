import { type Kysely, sql } from 'kysely';

/** The trace of a text, which its receipts continue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts add column traceparent text`.execute(db);
}

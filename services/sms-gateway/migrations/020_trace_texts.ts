import { type Kysely, sql } from 'kysely';

/** The trace of a text, so that its receipt, which comes by itself and later, can be part of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts add column traceparent text`.execute(db);
}

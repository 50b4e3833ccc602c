import { type Kysely, sql } from 'kysely';

/** A lift of a freeze abandons texts by when they became due, without changing each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null if the text has been due since `due_at`.
  await sql`alter table texts add column due_since timestamptz`.execute(db);
}

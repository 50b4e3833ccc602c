import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Operators have a limit. Null in older rows, which count as theirs.
  await sql`alter table staff_actions add column role text`.execute(db);
}

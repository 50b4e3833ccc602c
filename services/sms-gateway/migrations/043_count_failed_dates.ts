import { type Kysely, sql } from 'kysely';

/** The date of the latest text that a recipient's number couldn't receive, because one a date counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column failed_on date`.execute(db);
}

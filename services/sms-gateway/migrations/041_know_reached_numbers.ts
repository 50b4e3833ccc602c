import { type Kysely, sql } from 'kysely';

/** When a recipient's number was last known to be theirs, up to a week ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column reached_at timestamptz`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** When sending last resumed: receipts of texts sent before don't pause it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table send_pause add column resumed_at timestamptz`.execute(db);
}

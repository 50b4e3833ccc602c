import { type Kysely, sql } from 'kysely';

/** When the newest PAUSE was applied here, which data from before it must not undo. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column reply_setting_at timestamptz`.execute(db);
}

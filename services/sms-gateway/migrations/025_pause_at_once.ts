import { type Kysely, sql } from 'kysely';

/** When the last PAUSE was applied here. Older data must not undo it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column reply_setting_at timestamptz`.execute(db);
}

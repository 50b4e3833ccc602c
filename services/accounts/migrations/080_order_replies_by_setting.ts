import { type Kysely, sql } from 'kysely';

/** From now on `reply_setting_at` is about PAUSE and RESUME only: a newer 7AM must not make a late PAUSE old. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column hour_reply_at timestamptz,
    add column frequency_reply_at timestamptz`.execute(db);
}

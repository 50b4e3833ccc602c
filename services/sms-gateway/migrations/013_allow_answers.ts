import { type Kysely, sql } from 'kysely';

/** Texts in which an admin replies to a subscriber. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts drop constraint texts_kind_check`.execute(db);
  await sql`alter table texts add constraint texts_kind_check check (kind in ('daily', 'announcement', 'welcome',
    'consent_request', 'help', 'confirmation', 'one_time_code', 'answer'))`.execute(db);
}

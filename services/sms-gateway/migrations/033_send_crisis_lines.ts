import { type Kysely, sql } from 'kysely';

/** Adds the reply to someone who may be in danger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts drop constraint texts_kind_check`.execute(db);
  await sql`alter table texts add constraint texts_kind_check check (kind in ('daily', 'announcement', 'welcome',
    'consent_request', 'help', 'confirmation', 'stop_confirmation', 'crisis_line', 'one_time_code', 'answer', 'test'))`.execute(
    db,
  );
}

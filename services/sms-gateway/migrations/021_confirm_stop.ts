import { type Kysely, sql } from 'kysely';

/** Adds the confirmation of a STOP that the provider doesn't confirm. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table texts drop constraint texts_kind_check`.execute(db);
  await sql`alter table texts add constraint texts_kind_check check (kind in ('daily', 'announcement', 'welcome',
    'consent_request', 'help', 'confirmation', 'stop_confirmation', 'one_time_code', 'answer'))`.execute(
    db,
  );
}

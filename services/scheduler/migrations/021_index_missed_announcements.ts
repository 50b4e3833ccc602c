import { type Kysely, sql } from 'kysely';

/** Announcements that weren't delivered, by date and reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index dispatches_missed_announcements
    on dispatches (local_date, state, (coalesce(reason, '')), user_id)
    where kind <> 'daily' and (state in ('skipped', 'missed', 'refused', 'unknown') or is_test)`.execute(
    db,
  );
}

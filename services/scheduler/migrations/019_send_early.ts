import { type Kysely, sql } from 'kysely';

/** Frees the date of a daily message that was sent early. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table scheduled_messages add column sent_early boolean not null default false`.execute(
    db,
  );
  // Until 14 hours before midnight UTC, the date hasn't begun in any time zone.
  await sql`update scheduled_messages set sent_early = true from staff_sends
    where staff_sends.scheduled_message_id = scheduled_messages.id and category = 'daily_motivation'
      and staff_sends.requested_at < scheduled_date::timestamp at time zone 'UTC' - interval '14 hours'`.execute(
    db,
  );
}

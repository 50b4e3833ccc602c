import { type Kysely, sql } from 'kysely';

/** Frees the date of a daily message that was sent early. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table scheduled_messages add column sent_early boolean not null default false`,
    // Until 14 hours before midnight UTC, the date hasn't begun in any time zone.
    sql`update scheduled_messages set sent_early = true where category = 'daily_motivation'
      and sent_at < scheduled_date::timestamp at time zone 'UTC' - interval '14 hours'`,
    sql`drop index scheduled_messages_one_a_day`,
    sql`create unique index scheduled_messages_one_a_day on scheduled_messages (scheduled_date)
      where category = 'daily_motivation' and not sent_early`,
  ];
  for (const statement of statements) await statement.execute(db);
}

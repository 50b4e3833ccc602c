import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Dates without content that operators were alerted to.
    sql`create table content_alerts (local_date date primary key, alerted_at timestamptz not null)`,
    // A manual send reads subscribers with planned texts by id; a preview reads the first of them.
    sql`create index subscribers_to_send on subscribers (user_id)
      where entitled and is_active and timezone is not null`,
    // An announcement is planned by zone.
    sql`create index subscribers_of_zone on subscribers (timezone, user_id) where next_due_at is not null`,
  ];
  for (const statement of statements) await statement.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Announcements are planned once per zone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table announcement_plans (
    scheduled_message_id uuid not null,
    timezone text not null,
    planned_at timestamptz not null,
    primary key (scheduled_message_id, timezone)
  )`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** One staff send for a message, ever; `after_user_id` is how far its fan-out has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table staff_sends (
    id uuid primary key,
    scheduled_message_id uuid not null unique,
    batch_id uuid not null,
    hold_quiet_hours boolean not null,
    requested_at timestamptz not null,
    after_user_id uuid,
    total integer not null default 0,
    finished_at timestamptz
  )`.execute(db);
  await sql`create index staff_sends_unfinished on staff_sends (requested_at) where finished_at is null`.execute(
    db,
  );
}

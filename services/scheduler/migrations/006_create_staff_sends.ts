import { type Kysely, sql } from 'kysely';

/** At most one manual send per message; `after_user_id` is its progress. */
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

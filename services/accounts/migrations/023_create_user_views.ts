import { type Kysely, sql } from 'kysely';

/** When an admin last opened a subscriber's page. The audit log records it once an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table user_views (
    user_id uuid not null references users (id) on delete cascade,
    admin_id uuid not null,
    told_at timestamptz not null,
    primary key (user_id, admin_id)
  )`.execute(db);
}

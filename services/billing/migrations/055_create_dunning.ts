import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions
    -- Where to confirm the open payment if the bank requires it.
    add column confirm_url text,
    -- Whether it ended because a payment failed.
    add column ended_unpaid boolean not null default false`.execute(db);
  await sql`create index subscriptions_past_due on subscriptions (user_id) where status = 'past_due'`.execute(
    db,
  );
  // Version of the settings that the time zone is from.
  await sql`alter table customers add column settings_version integer not null default 0`.execute(
    db,
  );
  // One row per subscriber with a failed payment, until it is paid or the subscription ends.
  await sql`create table dunning (
    user_id uuid primary key references customers,
    -- When the payment failed.
    since timestamptz not null,
    stage text not null check (stage in ('failed', 'reminder', 'second_reminder', 'last_reminder', 'stopped')),
    confirm_asked boolean not null,
    next_at timestamptz
  )`.execute(db);
}

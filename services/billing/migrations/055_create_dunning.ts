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
  // Subscribers whose payment failed before know it already, so only later stages are emailed.
  await sql`insert into dunning
    select user_id, past_due_since,
      case when entitled
        then coalesce((array_agg(stage order by position desc) filter (where at <= now()))[1], 'failed')
        else 'stopped' end,
      false,
      case when entitled then min(at) filter (where at > now()) end
    from subscriptions cross join lateral (values
      (1, 'failed', past_due_since),
      (2, 'reminder', past_due_since + interval '72 hours'),
      (3, 'second_reminder', past_due_since + interval '120 hours'),
      (4, 'last_reminder', entitled_until - interval '24 hours'),
      (5, 'stopped', entitled_until)
    ) as stages (position, stage, at)
    where status = 'past_due' and past_due_since is not null
      and (position not in (2, 3) or entitled_until is null
        or at < entitled_until - interval '24 hours')
    group by user_id`.execute(db);
}

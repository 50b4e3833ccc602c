import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Orders reads from the provider: each takes a ticket first, and an older read never overwrites a newer one.
  await sql`create sequence read_tickets`.execute(db);
  await sql`create table subscriptions (
    user_id uuid primary key references customers,
    stripe_subscription_id text not null unique,
    read_ticket bigint not null,
    version integer not null check (version >= 1),
    status text not null check (status in ('pending', 'trial', 'active', 'past_due', 'expired', 'canceled')),
    -- Live at the provider, so a new subscription would be a second one.
    is_live boolean not null,
    plan text not null check (plan in ('monthly', 'yearly')),
    started_at timestamptz not null,
    trial_end timestamptz,
    current_period_end timestamptz,
    cancel_at_period_end boolean not null,
    cancel_at timestamptz,
    past_due_since timestamptz,
    entitled boolean not null,
    entitled_until timestamptz,
    entitled_since timestamptz,
    -- The card of this trial, once known.
    trial_card text,
    -- The trial end that was reminded of.
    reminded_trial_end timestamptz,
    -- STOP ended the renewal; START restores it.
    stopped_at timestamptz,
    last_reply_at timestamptz,
    checked_at timestamptz not null,
    created_at timestamptz not null,
    check (entitled or entitled_until is null)
  )`.execute(db);
  await sql`create index subscriptions_entitlement_ends on subscriptions (entitled_until) where entitled_until is not null`.execute(
    db,
  );
  await sql`create index subscriptions_trials on subscriptions (trial_end) where status = 'trial'`.execute(
    db,
  );
  await sql`create index subscriptions_periods on subscriptions (current_period_end) where is_live`.execute(
    db,
  );
  await sql`create index subscriptions_newest on subscriptions (created_at desc, user_id)`.execute(
    db,
  );
}

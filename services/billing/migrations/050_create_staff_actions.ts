import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table staff_actions (
    -- The request's key, so a repeated request is the same action.
    id uuid primary key,
    user_id uuid not null references customers,
    kind text not null check (kind in
      ('refund', 'credit', 'free_days', 'extend_trial', 'free_access', 'cancel_now', 'cancel_at_period_end')),
    state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
    amount_cents integer check (amount_cents > 0),
    invoice_id text,
    payment_intent_id text,
    days integer check (days > 0),
    until timestamptz,
    reason text not null,
    admin_id uuid not null,
    username text not null,
    ip text not null,
    request_id text not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    error text,
    -- The refund at the provider.
    provider_id text,
    check ((kind in ('refund', 'credit')) = (amount_cents is not null)),
    check ((kind in ('free_days', 'extend_trial', 'free_access')) = (days is not null and until is not null))
  )`.execute(db);
  await sql`create index staff_actions_user on staff_actions (user_id, created_at desc)`.execute(
    db,
  );
  await sql`create index staff_actions_provider on staff_actions (provider_id) where provider_id is not null`.execute(
    db,
  );
  // Free access that the provider doesn't know of, and the end of free days at the provider.
  await sql`alter table subscriptions add column comp_until timestamptz, add column free_until timestamptz`.execute(
    db,
  );
  await sql`alter table subscription_changes add column staff text`.execute(db);
}

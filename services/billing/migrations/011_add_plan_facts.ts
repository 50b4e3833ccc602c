import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers
    -- As in Stripe: negative is credit. Stored with the ticket of its read.
    add column balance_cents integer not null default 0,
    add column balance_ticket bigint not null default 0`.execute(db);
  await sql`alter table subscriptions
    add column price_cents integer,
    add column card_brand text,
    add column card_last4 text,
    -- The next charge, less credit; null if there is none.
    add column next_charge_at timestamptz,
    add column next_charge_cents integer`.execute(db);
  // One plan change at a time per user. The row stays and counts attempts.
  await sql`create table plan_changes (
    user_id uuid primary key references customers,
    action text not null check (action in ('upgrade', 'switch', 'cancel', 'undo_cancel')),
    plan text not null check (plan in ('monthly', 'yearly')),
    -- Part of the idempotency keys of provider and email. Changes with each change and after a sure failure.
    attempt integer not null default 1,
    -- Wall clock. Lease of the process that makes the change.
    claimed_until timestamptz,
    -- The change was started and may not have completed.
    is_open boolean not null,
    started_at timestamptz not null
  )`.execute(db);
}

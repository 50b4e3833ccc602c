import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers
    -- As Stripe books it: negative is credit. Kept with the ticket of the read that brought it.
    add column balance_cents integer not null default 0,
    add column balance_ticket bigint not null default 0`.execute(db);
  await sql`alter table subscriptions
    add column price_cents integer,
    add column card_brand text,
    add column card_last4 text,
    -- What the provider will charge next, credits taken off; null when nothing will be.
    add column next_charge_at timestamptz,
    add column next_charge_cents integer`.execute(db);
  // One change of a plan at a time for each person; the row stays, for the count of changes that were made.
  await sql`create table plan_changes (
    user_id uuid primary key references customers,
    action text not null check (action in ('upgrade', 'switch', 'cancel', 'undo_cancel')),
    plan text not null check (plan in ('monthly', 'yearly')),
    -- Part of the provider's idempotency key and of the mail's; a new one for each change and after a sure failure.
    attempt integer not null default 1,
    -- Wall clock: whoever makes the change is given until then.
    claimed_until timestamptz,
    -- The change was begun and is not known to have ended.
    is_open boolean not null,
    started_at timestamptz not null
  )`.execute(db);
}

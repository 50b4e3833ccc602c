import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices
    -- What was asked for, before credit was taken off; below zero for one that gives credit.
    add column total_cents integer,
    -- How it was paid, which is what refunds name.
    add column payment_intent_id text`.execute(db);
  await sql`create index invoices_payment on invoices (payment_intent_id)`.execute(db);
  await sql`create index refunds_payment on refunds (payment_intent_id)`.execute(db);
  // Every card that a user was seen to pay with, by the provider's fingerprint.
  await sql`create table cards (
    user_id uuid not null references customers,
    fingerprint text not null,
    seen_at timestamptz not null,
    primary key (user_id, fingerprint)
  )`.execute(db);
  await sql`create index cards_fingerprint on cards (fingerprint)`.execute(db);
  // One row per friend: whatever is told twice, a friend counts once.
  await sql`create table referrals (
    friend_user_id uuid primary key references customers,
    referrer_user_id uuid not null references customers,
    -- The friend's first payment of more than zero.
    invoice_id text not null references invoices,
    payment_intent_id text,
    amount_cents integer not null check (amount_cents > 0),
    paid_at timestamptz not null,
    card text,
    outcome text check (outcome in ('earned', 'refused', 'taken_back')),
    credit_cents integer not null,
    -- What stands on the referrer's balance at the provider for it, and by how many bookings it came there.
    booked_cents integer not null default 0,
    bookings integer not null default 0
  )`.execute(db);
  await sql`create index referrals_referrer on referrals (referrer_user_id)`.execute(db);
  await sql`create index referrals_payment on referrals (payment_intent_id)`.execute(db);
  // A card brings one credit, whoever pays with it.
  await sql`create unique index referrals_card on referrals (card) where outcome in ('earned', 'taken_back')`.execute(
    db,
  );
  await sql`create index customers_referrer on customers (referrer_user_id) where referrer_user_id is not null`.execute(
    db,
  );
  await sql`alter table customers
    add column referrals_version integer not null default 0,
    add column referrals_successful integer not null default 0`.execute(db);
}

import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices
    -- The total before credit; negative if it gives credit.
    add column total_cents integer,
    -- The payment, which refunds refer to.
    add column payment_intent_id text`.execute(db);
  await sql`create index invoices_payment on invoices (payment_intent_id)`.execute(db);
  await sql`create index refunds_payment on refunds (payment_intent_id)`.execute(db);
  // Every card a user has paid with, by the provider's fingerprint.
  await sql`create table cards (
    user_id uuid not null references customers,
    fingerprint text not null,
    seen_at timestamptz not null,
    primary key (user_id, fingerprint)
  )`.execute(db);
  await sql`create index cards_fingerprint on cards (fingerprint)`.execute(db);
  // One row per referred user, so each counts once.
  await sql`create table referrals (
    friend_user_id uuid primary key references customers,
    referrer_user_id uuid not null references customers,
    -- The referred user's first payment above zero.
    invoice_id text not null references invoices,
    payment_intent_id text,
    amount_cents integer not null check (amount_cents > 0),
    paid_at timestamptz not null,
    card text,
    outcome text check (outcome in ('earned', 'refused', 'taken_back')),
    credit_cents integer not null,
    -- The credit on the referrer's balance at the provider, and the number of its transactions.
    booked_cents integer not null default 0,
    bookings integer not null default 0
  )`.execute(db);
  await sql`create index referrals_referrer on referrals (referrer_user_id)`.execute(db);
  await sql`create index referrals_payment on referrals (payment_intent_id)`.execute(db);
  // A card earns one credit, regardless of the payer.
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

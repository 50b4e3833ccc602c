import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table gifts (
    id uuid primary key,
    months integer not null check (months > 0),
    -- Empty once erased.
    buyer_name text not null,
    buyer_email text not null,
    message text,
    origin text not null,
    -- Its link has the code; only the hash is stored.
    code_hash text not null unique,
    created_at timestamptz not null,
    session_id text unique,
    url text,
    -- End of the payment page.
    expires_at timestamptz not null,
    paid_at timestamptz,
    paid_cents integer,
    tax_cents integer,
    currency text,
    payment_intent_id text,
    invoice_id text,
    stripe_customer_id text,
    voided_at timestamptz,
    redeemed_by uuid references customers,
    redeemed_at timestamptz,
    -- The free time that it gave.
    starts_at timestamptz,
    ends_at timestamptz,
    -- Free time taken back after its payment was returned.
    taken_back_ms bigint check (taken_back_ms > 0),
    reminded_at timestamptz,
    check ((redeemed_by is null) = (redeemed_at is null and starts_at is null and ends_at is null)),
    check (redeemed_by is null or paid_at is not null)
  )`.execute(db);
  await sql`create index gifts_unpaid on gifts (created_at) where paid_at is null`.execute(db);
  await sql`create index gifts_paid on gifts (paid_at desc) where paid_at is not null`.execute(db);
  await sql`create index gifts_buyer on gifts (buyer_email)`.execute(db);
  await sql`create index gifts_payment on gifts (payment_intent_id) where payment_intent_id is not null`.execute(
    db,
  );
  await sql`create index gifts_recipient on gifts (redeemed_by) where redeemed_by is not null`.execute(
    db,
  );
}

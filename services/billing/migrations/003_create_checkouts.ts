import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table checkouts (
    id uuid primary key,
    user_id uuid not null references customers,
    plan text not null check (plan in ('monthly', 'yearly')),
    origin text not null,
    trial_days integer not null check (trial_days >= 0),
    status text not null check (status in ('creating', 'open', 'closing', 'complete', 'expired')),
    -- Part of the provider's idempotency key. Changes only after an attempt that surely failed.
    attempt integer not null default 1,
    -- Wall clock. Lease of the process that creates or closes the session.
    claimed_until timestamptz,
    session_id text unique,
    url text,
    expires_at timestamptz,
    payment_status text check (payment_status in ('paid', 'unpaid')),
    created_at timestamptz not null,
    check (status = 'creating' or session_id is not null)
  )`.execute(db);
  // At most one open checkout per user, also after a double click or on two replicas.
  await sql`create unique index checkouts_one_open on checkouts (user_id)
    where status in ('creating', 'open', 'closing')`.execute(db);
}

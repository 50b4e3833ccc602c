import { countRows } from '@daylift/database/counters';
import { type Kysely, sql } from 'kysely';

const hour = `to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24')`;

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row per lost day, so each is credited at most once.
  await sql`create table lost_days (
    user_id uuid not null,
    local_date date not null,
    outcome text not null,
    reason text,
    decision text not null check (decision in ('credited', 'trial', 'unpaid', 'over_limit', 'off')),
    credit_cents integer not null check (credit_cents >= 0 and (credit_cents > 0) = (decision = 'credited')),
    -- End of the paid period that the date falls in.
    period_end timestamptz,
    settled_at timestamptz not null,
    primary key (user_id, local_date)
  )`.execute(db);
  await countRows(db, 'lost_days', [
    { name: `'lost_days.' || ${hour}`, adds: `(decision = 'credited')::integer` },
    { name: `'lost_days_cents.' || ${hour}`, adds: 'credit_cents' },
  ]);
  await sql`alter table customers
    -- The credit for lost days on the balance at the provider, and the number of its transactions.
    add column lost_days_booked_cents integer not null default 0,
    add column lost_days_bookings integer not null default 0`.execute(db);
  await sql`create table lost_day_settings (
    singleton boolean primary key default true check (singleton),
    enabled boolean not null,
    max_days_per_month integer not null check (max_days_per_month between 1 and 31)
  )`.execute(db);
  await sql`insert into lost_day_settings (enabled, max_days_per_month) values (true, 31)`.execute(
    db,
  );
}

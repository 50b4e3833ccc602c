import { countRows, createCounterTables } from '@daylift/database/counters';
import { type Kysely, sql } from 'kysely';

const hour = (instant: string) =>
  sql.raw(`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24')`);

/** Live figures for the admin pages, without counting whole tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCounterTables(db);
  await countRows(db, 'subscriptions', [{ name: `'subscriptions.' || status`, adds: '1' }]);
  await countRows(db, 'invoices', [
    { name: `'revenue.paid_cents.' || currency`, adds: 'amount_paid_cents' },
    { name: `'revenue.payments.' || currency`, adds: '(amount_paid_cents > 0)::integer' },
  ]);
  await countRows(db, 'refunds', [
    {
      name: `'revenue.refunded_cents.' || currency`,
      adds: `case when status in ('succeeded', 'pending') then amount_cents else 0 end`,
    },
  ]);
  // The first payment after a trial.
  await sql`alter table customers add converted_at timestamptz`.execute(db);
  await sql`update customers c set converted_at = p.paid_at
    from (select user_id, min(paid_at) as paid_at from invoices where amount_paid_cents > 0 group by user_id) p
    where p.user_id = c.user_id
      and exists (select from subscriptions s where s.user_id = c.user_id and s.trial_end is not null)`.execute(
    db,
  );
  // Earlier cancellations were not recorded, so this counts by the last state.
  await sql`insert into counter_changes (name, change)
    select 'trials_started.' || ${hour('started_at')}, count(*) from subscriptions where trial_end is not null group by 1
    union all
    select 'converted.' || ${hour('converted_at')}, count(*) from customers where converted_at is not null group by 1
    union all
    select 'churned.' || ${hour('coalesce(current_period_end, checked_at)')}, count(*) from subscriptions
    where status in ('canceled', 'expired') group by 1`.execute(db);
}

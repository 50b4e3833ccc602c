import type { PlanId } from '@daylift/contracts/plans';
import { type NotNull, type Selectable, sql } from 'kysely';
import type { Db, LostDaySettingsTable, LostDaysTable, Trx } from '../database.ts';

export type LostDay = Selectable<LostDaysTable>;
export type LostDaySettings = Omit<Selectable<LostDaySettingsTable>, 'singleton'>;

/** Returns false if the day is already decided. */
export async function insertLostDay(trx: Trx, day: LostDay): Promise<boolean> {
  const inserted = await trx
    .insertInto('lost_days')
    .values(day)
    .onConflict((conflict) => conflict.doNothing())
    .returning('local_date')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Returns how many days of the date's calendar month are credited. */
export async function countCreditedInMonth(
  db: Db,
  userId: string,
  localDate: string,
): Promise<number> {
  const row = await db
    .selectFrom('lost_days')
    .select((select) => select.fn.countAll<number>().as('days'))
    .where('user_id', '=', userId)
    .where('decision', '=', 'credited')
    .where(sql<boolean>`date_trunc('month', local_date) = date_trunc('month', ${localDate}::date)`)
    .executeTakeFirstOrThrow();
  return row.days;
}

const cents = sql<number>`coalesce(sum(credit_cents), 0)::integer`;

export async function sumCredit(db: Db, userId: string, periodEnd?: Date): Promise<number> {
  const row = await db
    .selectFrom('lost_days')
    .select(cents.as('cents'))
    .where('user_id', '=', userId)
    .$if(periodEnd !== undefined, (query) => query.where('period_end', '=', periodEnd!))
    .executeTakeFirstOrThrow();
  return row.cents;
}

/** Returns the days credited since the last invoice, which are part of the next one. */
export async function findUpcomingCredit(
  db: Db,
  userId: string,
): Promise<{ days: number; credit_cents: number }> {
  return db
    .selectFrom('lost_days')
    .select((select) => [select.fn.countAll<number>().as('days'), cents.as('credit_cents')])
    .where('user_id', '=', userId)
    .where('decision', '=', 'credited')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('invoices')
            .select('id')
            .whereRef('invoices.user_id', '=', 'lost_days.user_id')
            .whereRef('invoices.created_at', '>', 'lost_days.settled_at')
            .where('status', 'in', ['open', 'paid', 'uncollectible'])
            .where('total_cents', '>', 0),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
}

export interface PeriodAt {
  /** The plan that was paid, and the end of what was paid: free days may extend the period. */
  plan: PlanId;
  paid_end: Date | null;
  status: string;
  /** The price that was paid; null if it was stored without it. */
  price_cents: number | null;
  /** Null if it was stored without its start. */
  period_start: Date | null;
  period_end: Date | null;
  /** The last status while the period was the current one. */
  last_status: string | null;
  /** Whether another paid period follows, if known. */
  renews: boolean;
}

/**
 * Returns the subscription's period at an instant, and how it has turned out so far. A renewal may be stored after
 * its period started, so an instant after the end of the period known at that time belongs to the next one.
 */
export async function findPeriodAt(
  db: Db,
  userId: string,
  at: Date,
): Promise<PeriodAt | undefined> {
  const { rows } = await sql<PeriodAt>`
    with period as (
      select user_id, plan, status, current_period_end as period_end, (
        select max(same.current_period_start) from subscription_changes same
        where same.user_id = one.user_id
          and same.current_period_end = one.current_period_end) as period_start, (
        select status from subscription_changes later
        where later.user_id = one.user_id and later.version >= one.version
          and later.current_period_end = one.current_period_end
          and later.status in ('trial', 'active', 'past_due')
        order by later.version desc limit 1) as last_status, coalesce((
        select status in ('trial', 'active', 'past_due') and not cancel_at_period_end
        from subscription_changes last
        where last.user_id = one.user_id and last.version >= one.version
          and last.current_period_end = one.current_period_end
        order by last.version desc limit 1), false) as renews
      from subscription_changes one
      where user_id = ${userId} and version >= (
        select max(version) from subscription_changes
        where user_id = ${userId} and changed_at <= ${at})
      order by coalesce(current_period_end > ${at}, true)
        and coalesce(current_period_start <= ${at}, true) desc, version
      limit 1
    )
    select coalesce(paid.plan, period.plan) as plan, price_cents, status, period_start, period_end,
      coalesce(paid.paid_end, period_end) as paid_end, last_status, renews
    from period left join lateral (
      -- Free days only move the end, and a plan changed during them is charged after them.
      select earliest.plan, price_cents, current_period_end as paid_end from subscription_changes earliest
      where earliest.user_id = period.user_id and current_period_start = period_start
        -- A trial that ends immediately starts at the same instant.
        and earliest.status in ('active', 'past_due')
      order by version limit 1
    ) paid on true`.execute(db);
  return rows[0];
}

/**
 * Returns whether a period's invoices were paid, or all free or written off, and their total discounts and refunds,
 * including what banks have returned.
 */
export async function findPayments(
  db: Db,
  userId: string,
  { start, end }: { start: Date; end: Date },
): Promise<{
  is_paid: boolean;
  is_free: boolean;
  refunded_cents: number;
  discount_cents: number;
}> {
  const { rows } = await sql<{
    is_paid: boolean;
    is_free: boolean;
    refunded_cents: number;
    discount_cents: number;
  }>`
    select
      coalesce(bool_or(status = 'paid' and coalesce(total_cents, amount_due_cents) > 0), false)
        as is_paid,
      coalesce(bool_and(status in ('void', 'uncollectible') or status = 'paid' and total_cents = 0), false)
        as is_free,
      coalesce(sum(coalesce((
        select sum(amount_cents) from refunds
        where refunds.payment_intent_id = invoices.payment_intent_id
          and refunds.status in ('succeeded', 'pending')), 0) + coalesce((
        select sum(amount_cents) from disputes
        where disputes.payment_intent_id = invoices.payment_intent_id
          and disputes.state in ('open', 'lost')), 0)), 0)::integer as refunded_cents,
      coalesce(sum(discount_cents) filter (where status = 'paid'), 0)::integer as discount_cents
    from invoices
    where user_id = ${userId} and created_at >= ${start} and created_at < least(${end}, (
      -- A new plan may start before the period's end.
      select min(current_period_start) from subscription_changes later
      where later.user_id = ${userId} and later.current_period_start > ${start}))`.execute(db);
  return rows[0]!;
}

/** Returns the unpaid days that can be decided again. */
export function findUnpaidDays(db: Db, userId: string) {
  return db
    .selectFrom('lost_days')
    .select(['user_id', 'local_date', 'due_at', 'frequency'])
    .where('user_id', '=', userId)
    .where('decision', '=', 'unpaid')
    .where('due_at', 'is not', null)
    .where('frequency', 'is not', null)
    .orderBy('local_date')
    .$narrowType<{ due_at: NotNull; frequency: NotNull }>()
    .execute();
}

export async function updateDecision(
  trx: Trx,
  { user_id, local_date }: Pick<LostDay, 'user_id' | 'local_date'>,
  decided: Pick<LostDay, 'decision' | 'credit_cents' | 'period_end' | 'settled_at'>,
): Promise<void> {
  await trx
    .updateTable('lost_days')
    .set(decided)
    .where('user_id', '=', user_id)
    .where('local_date', '=', local_date)
    .where('decision', '=', 'unpaid')
    .execute();
}

/** Records a booking made at the provider, once per number. */
export async function storeLostDaysBooking(
  trx: Trx,
  { user_id, bookings, cents: booked }: { user_id: string; bookings: number; cents: number },
): Promise<void> {
  await trx
    .updateTable('customers')
    .set({
      lost_days_booked_cents: sql`lost_days_booked_cents + ${booked}`,
      lost_days_bookings: bookings + 1,
    })
    .where('user_id', '=', user_id)
    .where('lost_days_bookings', '=', bookings)
    .execute();
}

const settings = (db: Db) =>
  db.selectFrom('lost_day_settings').select(['enabled', 'max_days_per_month']);

export const findLostDaySettings = (db: Db): Promise<LostDaySettings> =>
  settings(db).executeTakeFirstOrThrow();

export const lockLostDaySettings = (trx: Trx): Promise<LostDaySettings> =>
  settings(trx).forUpdate().executeTakeFirstOrThrow();

export async function storeLostDaySettings(trx: Trx, wanted: LostDaySettings): Promise<void> {
  await trx.updateTable('lost_day_settings').set(wanted).execute();
}

/** Returns decided days by the time of the decision, newest first. */
export function findLostDays(
  db: Db,
  userId: string,
  { from, until, limit }: { from?: Date; until: Date; limit: number },
): Promise<LostDay[]> {
  return db
    .selectFrom('lost_days')
    .selectAll()
    .where('user_id', '=', userId)
    .where('settled_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('settled_at', '>=', from!))
    .orderBy('settled_at', 'desc')
    .orderBy('local_date', 'desc')
    .limit(limit)
    .execute();
}

/** Sums the credit since an instant of subscribers who don't pay in the default currency, by currency. */
export async function sumOtherCredit(
  db: Db,
  since: Date,
): Promise<{ currency: string; credit_cents: number }[]> {
  const { rows } = await sql<{ currency: string; credit_cents: number }>`
    select c.currency, sum(d.credit_cents)::integer as credit_cents
    from customers c join lost_days d using (user_id)
    where c.currency <> 'usd' and d.settled_at >= ${since} and d.credit_cents > 0
    group by c.currency order by c.currency`.execute(db);
  return rows;
}

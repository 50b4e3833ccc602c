import { type Currency, defaultCurrency } from '@daylift/contracts/plans';
import { type RawBuilder, sql } from 'kysely';
import { paysIn } from '../customers/currency.repository.ts';
import type { Db } from '../database.ts';

/** What the SMS provider charges in. */
const textCostCurrency: Currency = 'usd';

export interface Period {
  start: Date;
  /** Not included. */
  end: Date;
  /** The same days, both included, for what is counted by date. */
  from: string;
  to: string;
  days: number;
  currency: Currency;
}

/** The input of a period's figures. Amounts are in cents. */
export interface Facts {
  days: number;
  mrr_start: number;
  mrr_new: number;
  mrr_expansion: number;
  mrr_contraction: number;
  mrr_churned: number;
  mrr_reactivated: number;
  paying_start: number;
  paying_end: number;
  /** Paying at the start and not at the end. */
  lost: number;
  trials_ended: number;
  trials_converted: number;
  /** Without tax, as are refunds and disputes. */
  collected: number;
  refunded: number;
  disputed: number;
  /** The tax in payments, minus the tax in what was returned. */
  tax: number;
  failed: number;
  recovered: number;
  /** Null unless the currency is that of text costs. */
  text_cost: number | null;
  /** The same, or null if it may include texts to subscribers who pay in other currencies. */
  own_text_cost: number | null;
}

const moved = (kind: string) =>
  sql.raw(`coalesce(sum(abs(after_cents - before_cents))
    filter (where kind = '${kind}' and at >= start), 0)::bigint as mrr_${kind}`);
const isPaying = `(after_cents > 0)::integer - (before_cents > 0)::integer`;

type MrrFacts = Pick<Facts, `mrr_${string}` & keyof Facts> &
  Pick<Facts, 'paying_start' | 'paying_end'>;

async function readMrr(db: Db, { start, end, currency }: Period): Promise<MrrFacts> {
  const { rows } = await sql<MrrFacts>`
    select coalesce(sum(after_cents - before_cents) filter (where at < start), 0)::bigint as mrr_start,
      ${moved('new')}, ${moved('expansion')}, ${moved('contraction')}, ${moved('churned')}, ${moved('reactivated')},
      coalesce(sum(${sql.raw(isPaying)}) filter (where at < start), 0)::bigint as paying_start,
      coalesce(sum(${sql.raw(isPaying)}), 0)::bigint as paying_end
    from mrr_changes, (select ${start}::timestamptz as start) as bounds
    where at < ${end} and ${paysIn('mrr_changes.user_id', currency)}`.execute(db);
  return rows[0]!;
}

async function countLost(db: Db, { start, end, currency }: Period): Promise<Pick<Facts, 'lost'>> {
  const { rows } = await sql<{ lost: number }>`
    select count(*) as lost from (
      select (array_agg(before_cents order by position))[1] as first,
        (array_agg(after_cents order by position desc))[1] as last
      from mrr_changes where at >= ${start} and at < ${end} and ${paysIn('mrr_changes.user_id', currency)}
      group by user_id
    ) as changed where first > 0 and last = 0`.execute(db);
  return rows[0]!;
}

/** The tax in a part of an invoice, in proportion. `amount` and `invoice` are SQL. */
const taxIn = (amount: string, invoice: string) =>
  sql.raw(
    `round(${amount} * ${invoice}.tax_cents::numeric / nullif(${invoice}.total_cents, 0))::bigint`,
  );
const taxReturned = (
  returned: 'r' | 'd',
  amount: string,
) => sql`(select ${taxIn(`${returned}.${amount}`, 'i')}
  from invoices i where i.payment_intent_id = ${sql.raw(returned)}.payment_intent_id limit 1)`;

const textCost = (cents: RawBuilder<unknown>, currency: Currency) =>
  currency === textCostCurrency ? sql`${cents}::bigint` : sql`max(null::bigint)`;

type OtherFacts = Omit<Facts, keyof MrrFacts | 'lost' | 'days' | 'own_text_cost'>;

async function readPayments(
  db: Db,
  { start, end, from, to, currency }: Period,
): Promise<OtherFacts> {
  const { rows } = await sql<OtherFacts>`
    select trials.*, paid.gross - paid.tax as collected, refunds.gross - refunds.tax as refunded,
      disputes.gross - disputes.tax as disputed, paid.tax - refunds.tax - disputes.tax as tax, failed.*, texts.*
    from (
      select count(*) as trials_ended, count(converted_at) as trials_converted
      from customers where trial_ended_at >= ${start} and trial_ended_at < ${end}
        and coalesce(currency, ${defaultCurrency}) = ${currency}
    ) as trials, (
      select coalesce(sum(i.amount_paid_cents), 0)::bigint as gross,
        coalesce(sum(${taxIn('i.amount_paid_cents', 'i')}), 0)::bigint as tax
      from invoices i
      where paid_at >= ${start} and paid_at < ${end} and amount_paid_cents > 0 and currency = ${currency}
    ) as paid, (
      select coalesce(sum(amount_cents), 0)::bigint as gross,
        coalesce(sum(${taxReturned('r', 'amount_cents')}), 0)::bigint as tax
      from refunds r
      where created_at >= ${start} and created_at < ${end} and status in ('succeeded', 'pending')
        and currency = ${currency}
    ) as refunds, (
      select coalesce(sum(withdrawn_cents), 0)::bigint as gross,
        coalesce(sum(${taxReturned('d', 'withdrawn_cents')}), 0)::bigint as tax
      from disputes d
      where created_at >= ${start} and created_at < ${end} and currency = ${currency}
    ) as disputes, (
      select count(*) as failed, count(*) filter (where status = 'paid') as recovered from invoices
      where first_failed_at >= ${start} and first_failed_at < ${end} and currency = ${currency}
    ) as failed, (
      select ${textCost(sql`coalesce(round(sum(cost) * 100), 0)`, currency)} as text_cost from text_costs
      where date between ${from} and ${to}
    ) as texts`.execute(db);
  return rows[0]!;
}

/** Returns whether a subscriber has paid in another currency than that of text costs before the period's end. */
async function isPaidInOthers(db: Db, { end }: Period): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from customers payer join mrr_changes using (user_id)
    where payer.currency <> ${textCostCurrency} and mrr_changes.at < ${end}) as found`.execute(db);
  return rows[0]!.found;
}

export async function readFacts(db: Db, period: Period): Promise<Facts> {
  const [mrr, lost, payments, isOneOfSeveral] = await Promise.all([
    readMrr(db, period),
    countLost(db, period),
    readPayments(db, period),
    isPaidInOthers(db, period),
  ]);
  const own_text_cost = isOneOfSeveral ? null : payments.text_cost;
  return { days: period.days, ...mrr, ...lost, ...payments, own_text_cost };
}

export interface CountryFacts {
  country: string;
  paying: number;
  revenue_cents: number;
  texts: number;
  text_cost_cents: number | null;
}

/** Null without an invoice: the amount counts in any case. */
const payerOf = (returned: 'r' | 'd') =>
  `(select i.user_id from invoices i where i.payment_intent_id = ${returned}.payment_intent_id limit 1)`;

export async function readCountries(
  db: Db,
  { start, end, from, to, currency }: Period,
): Promise<CountryFacts[]> {
  const { rows } = await sql<CountryFacts>`
    with paying as (
      select user_id, sum(${sql.raw(isPaying)}) as paying from mrr_changes
      where at < ${end} and ${paysIn('mrr_changes.user_id', currency)} group by user_id
    ), revenue as (
      select user_id, amount_paid_cents - coalesce(${taxIn('i.amount_paid_cents', 'i')}, 0) as cents from invoices i
      where paid_at >= ${start} and paid_at < ${end} and amount_paid_cents > 0 and currency = ${currency}
      union all
      select ${sql.raw(payerOf('r'))}, coalesce(${taxReturned('r', 'amount_cents')}, 0) - r.amount_cents from refunds r
      where r.created_at >= ${start} and r.created_at < ${end} and r.status in ('succeeded', 'pending')
        and r.currency = ${currency}
      union all
      select ${sql.raw(payerOf('d'))}, coalesce(${taxReturned('d', 'withdrawn_cents')}, 0) - d.withdrawn_cents from disputes d
      where d.created_at >= ${start} and d.created_at < ${end} and d.currency = ${currency}
    ), parts as (
      select coalesce(c.country, 'unknown') as country, coalesce(paying.paying, 0) as paying, 0 as cents,
        0 as texts, 0::numeric as cost
      from paying join customers c using (user_id) where paying.paying > 0
      union all
      select coalesce(c.country, 'unknown'), 0, revenue.cents, 0, 0
      from revenue left join customers c using (user_id)
      union all
      select country, 0, 0, texts, cost from text_costs where date between ${from} and ${to}
    )
    select country, sum(paying)::bigint as paying, sum(cents)::bigint as revenue_cents,
      sum(texts)::bigint as texts, ${textCost(sql`round(sum(cost) * 100)`, currency)} as text_cost_cents
    from parts group by country order by revenue_cents desc, texts desc, country`.execute(db);
  return rows;
}

/** Returns signups and first payments by month. `bounds` has the start of each month and the end of the last. */
export async function readCohortSizes(
  db: Db,
  bounds: Date[],
): Promise<{ month: number; signups: number; paid: number }[]> {
  const { rows } = await sql<{ month: number; signups: number; paid: number }>`
    select width_bucket(c.registered_at, ${bounds}::timestamptz[]) - 1 as month, count(*) as signups,
      count(m.user_id) as paid
    from customers c
    left join mrr_changes m on m.user_id = c.user_id and m.kind = 'new' and m.at < ${bounds.at(-1)}
    where c.registered_at >= ${bounds[0]} and c.registered_at < ${bounds.at(-1)}
    group by 1`.execute(db);
  return rows;
}

/** Returns the net change in paying subscribers by month and signup month. */
export async function readCohortChanges(
  db: Db,
  bounds: Date[],
): Promise<{ month: number; changed: number; change: number }[]> {
  const { rows } = await sql<{ month: number; changed: number; change: number }>`
    select width_bucket(c.registered_at, ${bounds}::timestamptz[]) - 1 as month,
      width_bucket(m.at, ${bounds}::timestamptz[]) - 1 as changed, sum(${sql.raw(isPaying)})::bigint as change
    from mrr_changes m join customers c using (user_id)
    where c.registered_at >= ${bounds[0]} and m.at < ${bounds.at(-1)}
    group by 1, 2`.execute(db);
  return rows;
}

/** Replaces the costs of a day unless newer ones are stored. */
export async function storeTextCosts(
  db: Db,
  { date, counted_at }: { date: string; counted_at: Date },
  countries: { country: string; texts: number; cost: string }[],
): Promise<void> {
  const newer = await db
    .selectFrom('text_costs')
    .select('date')
    .where('date', '=', date)
    .where('counted_at', '>', counted_at)
    .executeTakeFirst();
  if (newer !== undefined) return;
  await db.deleteFrom('text_costs').where('date', '=', date).execute();
  if (countries.length > 0)
    await db
      .insertInto('text_costs')
      .values(countries.map((country) => ({ ...country, date, counted_at })))
      .execute();
}

import { planIds, planTerms } from '@daylift/contracts/plans';
import { type RawBuilder, sql } from 'kysely';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { Db, Trx } from '../database.ts';

/**
 * Stores a change of a subscriber's monthly recurring revenue, if there is one. A subscriber pays from the first paid
 * invoice of a subscription to its end; credit counts as payment. A failed payment alone changes nothing. A year counts
 * as twelve months, rounded to the cent per subscriber. A discount counts while it also covers the next payment.
 */
export async function recordMrr(trx: Trx, userId: string, now: Date): Promise<void> {
  await lockCustomer(trx, userId);
  await sql`
    insert into mrr_changes (user_id, at, kind, before_cents, after_cents)
    select user_id,
      case when before_cents = 0 and (last_at is null or paid_at > last_at) then paid_at else ${now}::timestamptz end,
      case when last_at is null then 'new' when before_cents = 0 then 'reactivated' when after_cents = 0 then 'churned'
        when after_cents > before_cents then 'expansion' else 'contraction' end,
      before_cents, after_cents
    from (${statesOf(sql`s.user_id = ${userId}`)}) as state
    where before_cents <> after_cents`.execute(trx);
}

/** Stores changes that a replica of an older version didn't store. Returns how many subscribers had any. */
export async function recountMrr(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (${statesOf(sql`true`)}) as state where before_cents <> after_cents`.execute(
    db,
  );
  for (const { user_id } of rows)
    await db.transaction().execute((trx) => recordMrr(trx, user_id, now));
  return rows.length;
}

const monthsOf = sql`case s.plan ${sql.join(
  planIds.map((id) => sql`when ${sql.lit(id)} then ${sql.lit(planTerms[id].months)}.0`),
  sql` `,
)} end`;

const statesOf = (which: RawBuilder<unknown>) => sql`
  select s.user_id, paid.at as paid_at, last.at as last_at, coalesce(last.after_cents, 0) as before_cents,
    case when paid.at is not null and s.status in ('trial', 'active', 'past_due')
      then round((coalesce(s.price_cents, 0) - s.recurring_discount_cents) / ${monthsOf})::integer
      else 0 end as after_cents
  from subscriptions s
  left join lateral (
    select min(i.paid_at) as at from invoices i
    where i.user_id = s.user_id and i.status = 'paid' and coalesce(i.total_cents, i.amount_paid_cents) > 0
      and i.paid_at >= s.started_at
  ) as paid on true
  left join lateral (
    select m.at, m.after_cents from mrr_changes m
    where m.user_id = s.user_id order by m.position desc limit 1
  ) as last on true
  where s.stripe_subscription_id is not null and ${which}`;

import { type Selectable, sql } from 'kysely';
import type { Db, PromotionsTable, Trx } from '../database.ts';

export type Promotion = Selectable<PromotionsTable>;

/** Returns the promotion that the code belongs to now, or the last one that it belonged to. */
export function findPromotionByCode(db: Db, code: string): Promise<Promotion | undefined> {
  return db
    .selectFrom('promotions')
    .selectAll()
    .where('code', '=', code)
    .orderBy(sql`deactivated_at is null`, 'desc')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

export function findPromotion(db: Db, id: string): Promise<Promotion | undefined> {
  return db.selectFrom('promotions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockPromotion(trx: Trx, id: string): Promise<Promotion | undefined> {
  return trx
    .selectFrom('promotions')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Returns the promotion of the checkout that a subscription started with. */
export async function findPromotionOfCheckout(
  db: Db,
  checkoutId: string,
): Promise<Promotion | undefined> {
  return db
    .selectFrom('promotions')
    .innerJoin('checkouts', 'checkouts.promotion_id', 'promotions.id')
    .selectAll('promotions')
    .where('checkouts.id', '=', checkoutId)
    .executeTakeFirst();
}

/** Returns false if another active promotion has the code. */
export async function insertPromotion(trx: Trx, promotion: Promotion): Promise<boolean> {
  const inserted = await trx
    .insertInto('promotions')
    .values(promotion)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updatePromotion(
  db: Db,
  id: string,
  change: Partial<Pick<Promotion, 'provider_id' | 'deactivated_at'>>,
): Promise<void> {
  await db.updateTable('promotions').set(change).where('id', '=', id).execute();
}

/**
 * Returns the uses of a promotion by others: those completed, and checkouts that are being opened or may complete. A
 * completion may be reported after the page has expired.
 */
export async function countTaken(
  db: Db,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select count(*)::integer as taken from checkouts
    where promotion_id = ${id} and (status = 'complete' or (user_id <> ${userId}
      and status in ('creating', 'open', 'closing')
      and (claimed_until > ${new Date()} or expires_at > ${now}::timestamptz - interval '1 hour')))`.execute(
    db,
  );
  return rows[0]?.taken ?? 0;
}

export async function hasRedeemed(db: Db, userId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('user_id', '=', userId)
    .where('promotion_id', '=', id)
    .where('status', '=', 'complete')
    .executeTakeFirst();
  return row !== undefined;
}

export interface CountedPromotion extends Promotion {
  uses: number;
  /** Uses that have led to a payment. */
  paying: number;
  /** Payments of the subscriptions that started with it, minus refunds, in its currency. */
  revenue_cents: number;
  /** What their invoices were reduced by. */
  discount_cents: number;
  /** The same in other currencies. */
  others: { currency: string; revenue_cents: number; discount_cents: number }[];
}

/** Returns promotions, newest first, with their uses and effect on revenue. */
export async function listPromotions(
  db: Db,
  { limit, offset, id = null }: { limit: number; offset: number; id?: string | null },
): Promise<{ rows: CountedPromotion[]; total: number }> {
  const { rows } = await sql<CountedPromotion & { total: number }>`
    select p.*, uses.*, paid.*
    from (select promotions.*, count(*) over ()::integer as total from promotions
      where ${id}::uuid is null or id = ${id}) as p
    cross join lateral (
      select count(*)::integer as uses, count(*) filter (where exists (select from invoices i
        where i.user_id = c.user_id and i.stripe_subscription_id = c.stripe_subscription_id
          and i.amount_paid_cents > 0))::integer as paying
      from checkouts c where c.promotion_id = p.id and c.status = 'complete'
    ) as uses
    cross join lateral (
      select coalesce(max(revenue_cents) filter (where currency = p.currency), 0)::bigint as revenue_cents,
        coalesce(max(discount_cents) filter (where currency = p.currency), 0)::bigint as discount_cents,
        coalesce(json_agg(each order by currency) filter (where currency <> p.currency), '[]') as others
      from (
        select i.currency, coalesce(sum(i.discount_cents) filter (where i.status = 'paid'), 0) as discount_cents,
          sum(i.amount_paid_cents - coalesce((select sum(r.amount_cents) from refunds r
            where r.payment_intent_id = i.payment_intent_id and r.status in ('succeeded', 'pending')), 0)) as revenue_cents
        from checkouts c
        join invoices i on i.user_id = c.user_id and i.stripe_subscription_id = c.stripe_subscription_id
        where c.promotion_id = p.id and c.status = 'complete' group by i.currency
      ) as each
    ) as paid
    order by p.created_at desc, p.id limit ${limit} offset ${offset}`.execute(db);
  return { rows, total: rows[0]?.total ?? 0 };
}

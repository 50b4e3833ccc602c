import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Db } from '../database.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';
import { priceWords } from './promotion-price.ts';
import { findPromotion } from './promotions.repository.ts';

type Facts = Pick<
  Subscription,
  'plan' | 'price_cents' | 'promotion_id' | 'discount_cents' | 'recurring_discount_cents'
>;

/** Returns the code and price of a subscription's promotion while it applies, or null. */
export async function findOffer(
  db: Db,
  { plans, currency }: Catalogue,
  row: Facts,
): Promise<{ code: string; price: string } | null> {
  const applies = row.discount_cents > 0 || row.recurring_discount_cents > 0;
  if (row.promotion_id === null || !applies) return null;
  const promotion = await findPromotion(db, row.promotion_id);
  if (promotion === undefined) return null;
  const plan = plans[row.plan];
  const price_cents = row.price_cents ?? plan.price_cents;
  return { code: promotion.code, price: priceWords(promotion, { ...plan, price_cents }, currency) };
}

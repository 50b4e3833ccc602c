import { perPeriod } from '@daylift/contracts/plans';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Db } from '../database.ts';
import { type FirstCharge, type LaterPayment, money } from '../notices/words.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';
import { freePayments, priceWords } from './promotion-price.ts';
import { findPromotion } from './promotions.repository.ts';

type Facts = Pick<Subscription, 'plan' | 'price_cents' | 'promotion_id' | 'discount_cents'>;

/** Returns the code and price of a subscription's promotion while it applies, or null. */
export async function findOffer(
  db: Db,
  { plans, currency }: Catalogue,
  row: Facts,
): Promise<{ code: string; price: string } | null> {
  if (row.promotion_id === null || row.discount_cents === 0) return null;
  const promotion = await findPromotion(db, row.promotion_id);
  if (promotion === undefined) return null;
  return { code: promotion.code, price: priceWords(promotion, planOf(plans, row), currency) };
}

/** Returns the payment that follows when nothing is charged at that instant, by a promotion or by credit. */
export async function findLaterPayment(
  db: Db,
  { plans, currency }: Catalogue,
  row: Pick<Facts, 'plan' | 'price_cents' | 'promotion_id'>,
  at: Date,
): Promise<LaterPayment> {
  const promotion =
    row.promotion_id === null ? undefined : await findPromotion(db, row.promotion_id);
  const plan = planOf(plans, row);
  const count = promotion === undefined ? 0 : freePayments(promotion, plan);
  if (count === 0) return 'credit';
  if (count === null) return 'none';
  const first = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('UTC');
  const paid = first.add({ months: count * plan.months });
  return { at: new Date(paid.epochMilliseconds), amount: money(plan.price_cents, currency) };
}

/** Describes the first charge of a plan, at the end of a trial or of free time. */
export async function describeFirstCharge(
  db: Db,
  catalogue: Catalogue,
  row: Subscription,
  at: Date,
): Promise<FirstCharge> {
  const { plan, price_cents, next_charge_cents, next_charge_tax_cents } = row;
  const cents = price_cents ?? catalogue.plans[plan].price_cents;
  const regular = `${money(cents, catalogue.currency)} ${perPeriod(plan)}`;
  const untaxed = (await findOffer(db, catalogue, row))?.price ?? regular;
  return {
    plan,
    at,
    price: next_charge_tax_cents ? `${untaxed}, plus tax` : untaxed,
    amount: money(next_charge_cents ?? cents, catalogue.currency),
    later: next_charge_cents === 0 ? await findLaterPayment(db, catalogue, row, at) : null,
  };
}

const planOf = (
  plans: Catalogue['plans'],
  { plan, price_cents }: Pick<Facts, 'plan' | 'price_cents'>,
) => ({ ...plans[plan], price_cents: price_cents ?? plans[plan].price_cents });

import type { PlanId } from '@daylift/contracts/fields';
import { type Currency, defaultCurrency } from '@daylift/contracts/plans';
import type { PromotionOffer } from '@daylift/contracts/promotions.http';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { catalogueFor } from '../customers/currency.ts';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { Customer } from '../customers/customers.repository.ts';
import { mayHaveTrial } from '../customers/trial-uses.repository.ts';
import type { Db, Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import {
  PromotionAfterFreeTime,
  PromotionAlreadyUsed,
  PromotionForNewCustomers,
  PromotionForOtherCurrency,
  PromotionForOtherPlan,
  PromotionOver,
  PromotionUnknown,
  PromotionUsedUp,
} from '../errors.ts';
import { firstChargeAfter } from '../subscriptions/free-time.ts';
import { findSubscription } from '../subscriptions/subscriptions.repository.ts';
import { discountedPayments, discountOf, priceWords } from './promotion-price.ts';
import {
  countTaken,
  findPromotionByCode,
  hasRedeemed,
  lockPromotion,
  type Promotion,
} from './promotions.repository.ts';

interface Wanted {
  code: string;
  plan: PlanId;
  /** Null for a visitor without an account. */
  customer: Customer | null;
  /** The visitor's, by the country that they have chosen. */
  currency?: Currency | undefined;
}

const noUser = '00000000-0000-0000-0000-000000000000';

/** Returns a promotion that can be redeemed now, or throws the error that says why it can't. */
export async function findRedeemable(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'catalogues' | 'countryCurrencies'>,
  { code, plan, customer, currency }: Wanted,
): Promise<Promotion> {
  const { db, clock } = deps;
  const userId = customer?.user_id ?? null;
  const catalogue = catalogueOf(deps, customer, currency);
  const now = clock.now();
  const letters = code.trim().toUpperCase();
  if (!/^[A-Z0-9-]+$/.test(letters)) throw new PromotionUnknown();
  const promotion = await findPromotionByCode(db, letters);
  if (promotion === undefined) throw new PromotionUnknown();
  const { id, max_uses } = promotion;
  if (isOver(promotion, now)) throw new PromotionOver();
  if (promotion.plan !== null && promotion.plan !== plan)
    throw new PromotionForOtherPlan(catalogue.plans[promotion.plan].name.toLowerCase());
  if (promotion.kind === 'amount' && promotion.currency !== catalogue.currency)
    throw new PromotionForOtherCurrency(promotion.currency.toUpperCase());
  if (userId !== null && (await hasRedeemed(db, userId, id))) throw new PromotionAlreadyUsed();
  if (
    max_uses !== null &&
    (await countTaken(db, { id, userId: userId ?? noUser, now })) >= max_uses
  )
    throw new PromotionUsedUp();
  const hasTrial = userId !== null && (await mayHaveTrial(db, userId));
  if (userId !== null && promotion.first_time_only && !hasTrial)
    throw new PromotionForNewCustomers();
  const subscription = userId === null ? undefined : await findSubscription(db, userId);
  const lasts = promotion.kind !== 'free_days' && (promotion.months ?? 1) === 1;
  if (!lasts && firstChargeAfter(subscription, hasTrial, now) !== null)
    throw new PromotionAfterFreeTime();
  return promotion;
}

const catalogueOf = (
  deps: Pick<BillingDeps, 'catalogues' | 'countryCurrencies'>,
  customer: Customer | null,
  currency: Currency = defaultCurrency,
): Catalogue => (customer === null ? deps.catalogues[currency] : catalogueFor(deps, customer));

const isOver = ({ deactivated_at, expires_at }: Promotion, now: Date): boolean =>
  deactivated_at !== null || (expires_at !== null && expires_at <= now);

/**
 * Runs `store`, which stores a checkout with the promotion, unless it is over or others have taken all its uses. The
 * lock makes concurrent checkouts with one code, and its deactivation, wait for each other.
 */
export function withinUses<T>(
  db: Db,
  checkout: { user_id: string; promotion_id: string | null },
  now: Date,
  store: (db: Db) => Promise<T>,
): Promise<T> {
  const { promotion_id: id, user_id: userId } = checkout;
  if (id === null) return store(db);
  return db.transaction().execute(async (trx: Trx) => {
    const promotion = await lockPromotion(trx, id);
    if (promotion === undefined || isOver(promotion, now)) throw new PromotionOver();
    const { max_uses: max } = promotion;
    if (max !== null && (await countTaken(trx, { id, userId, now })) >= max)
      throw new PromotionUsedUp();
    return store(trx);
  });
}

export const trialDaysWith = (trialDays: number, promotion: Promotion | null): number =>
  trialDays + (promotion?.kind === 'free_days' ? promotion.value : 0);

/** Returns the price that a code gives. With a signup, also checks whether that account may use it. */
export async function readOffer(
  deps: BillingDeps,
  {
    code,
    plan,
    signup,
    currency,
  }: { code: string; plan: PlanId; signup: string | undefined; currency: Currency | undefined },
): Promise<PromotionOffer> {
  const { db, clock } = deps;
  const customer =
    signup === undefined ? null : ((await findOrFetchCustomer(deps, signup)) ?? null);
  const userId = customer?.user_id ?? null;
  const promotion = await findRedeemable(deps, { code, plan, customer, currency });
  const catalogue = catalogueOf(deps, customer, currency);
  const chosen = catalogue.plans[plan];
  const hasTrial = userId === null || (await mayHaveTrial(db, userId));
  const subscription = userId === null ? undefined : await findSubscription(db, userId);
  const isFree = firstChargeAfter(subscription, hasTrial, clock.now()) !== null;
  return {
    code: promotion.code,
    plan,
    trial_days: hasTrial && !isFree ? trialDaysWith(catalogue.trial_days, promotion) : 0,
    first_cents: chosen.price_cents - discountOf(promotion, chosen.price_cents),
    discounted_payments: discountedPayments(promotion, plan),
    price: priceWords(promotion, chosen, catalogue.currency),
    currency: catalogue.currency,
  };
}

import type { PlanId } from '@daylift/contracts/fields';
import { type Currency, defaultCurrency } from '@daylift/contracts/plans';
import type { PromotionOffer } from '@daylift/contracts/promotions.http';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { catalogueFor } from '../customers/currency.ts';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
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
import { hasPaidInvoice } from '../invoices/invoices.repository.ts';
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

interface Buyer {
  /** Null for a visitor without an account. */
  user_id: string | null;
  hasTrial: boolean;
  /** Whether free access postpones the first charge. */
  isFree: boolean;
}

const noUser = '00000000-0000-0000-0000-000000000000';

/** Returns a promotion that can be redeemed now, or throws the error that says why it can't. */
export async function findRedeemable(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { code, plan }: { code: string; plan: PlanId },
  catalogue: Catalogue,
  { user_id: userId, hasTrial, isFree }: Buyer,
): Promise<Promotion> {
  const now = clock.now();
  const normalized = code.trim().toUpperCase();
  if (!/^[A-Z0-9-]+$/.test(normalized)) throw new PromotionUnknown();
  const promotion = await findPromotionByCode(db, normalized);
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
  // A plan chosen after a gift is paid for without a trial.
  const isNew = hasTrial && (userId === null || !(await hasPaidInvoice(db, userId)));
  if (promotion.first_time_only && !isNew) throw new PromotionForNewCustomers();
  const lasts = promotion.kind !== 'free_days' && (promotion.months ?? 1) === 1;
  if (!lasts && isFree) throw new PromotionAfterFreeTime();
  return promotion;
}

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
    currency = defaultCurrency,
  }: { code: string; plan: PlanId; signup: string | undefined; currency: Currency | undefined },
): Promise<PromotionOffer> {
  const { db, clock } = deps;
  const customer = signup === undefined ? undefined : await findOrFetchCustomer(deps, signup);
  const user_id = customer?.user_id ?? null;
  const catalogue = customer ? catalogueFor(deps, customer) : deps.catalogues[currency];
  const chosen = catalogue.plans[plan];
  const hasTrial = user_id === null || (await mayHaveTrial(db, user_id));
  const subscription = user_id === null ? undefined : await findSubscription(db, user_id);
  const isFree = firstChargeAfter(subscription, hasTrial, clock.now()) !== null;
  const buyer = { user_id, hasTrial, isFree };
  const promotion = await findRedeemable(deps, { code, plan }, catalogue, buyer);
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

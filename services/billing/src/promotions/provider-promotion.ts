import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { isResourceExists } from '../stripe-client.ts';
import { freeDaysOf, planOf, subscriptionParts } from '../subscriptions/provider-subscription.ts';
import { promotionWords } from './promotion-price.ts';
import {
  findPromotion,
  findPromotionOfCheckout,
  type Promotion,
  updatePromotion,
} from './promotions.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'stripe'>;

/**
 * Returns the promotion code at the provider, and creates it with its coupon if missing. The coupon's id is ours, so
 * any number of attempts create one. Free days have no coupon.
 */
export async function ensureCode(deps: Deps, promotion: Promotion): Promise<string | null> {
  const { db, stripe } = deps;
  const { id, kind, value, months, currency, provider_id, expires_at, max_uses } = promotion;
  if (kind === 'free_days') return null;
  if (provider_id !== null) return provider_id;
  const metadata = { promotion_id: id };
  await stripe.coupons
    .create(
      {
        id,
        // At most 40 characters.
        name: `${promotion.code}: ${promotionWords(promotion)}`.slice(0, 40),
        ...(kind === 'percent' ? { percent_off: value } : { amount_off: value, currency }),
        ...durationOf(months),
        metadata,
      },
      { idempotencyKey: `coupon:${id}` },
    )
    .catch((error: unknown) => {
      if (!isResourceExists(error)) throw error;
    });
  const find = async () => (await stripe.promotionCodes.list({ coupon: id, limit: 1 })).data[0];
  // Without a key of our own: a refusal would be stored with it, even after the reason is gone.
  const create = () =>
    stripe.promotionCodes.create({
      code: promotion.code,
      promotion: { type: 'coupon', coupon: id },
      restrictions: { first_time_transaction: promotion.first_time_only },
      ...(expires_at !== null && { expires_at: Math.floor(expires_at.getTime() / 1000) }),
      ...(max_uses !== null && { max_redemptions: max_uses }),
      metadata,
    });
  let code = await find();
  if (code === undefined) {
    await deactivateOver(deps, promotion.code);
    code = await create().catch(async (error: unknown) => {
      // A concurrent attempt may have created it.
      const existing = await find();
      if (existing === undefined) throw error;
      return existing;
    });
  }
  await updatePromotion(db, id, { provider_id: code.id });
  return code.id;
}

/** Deactivates ended promotions' codes with this text at the provider, so a new one can use it. */
async function deactivateOver({ db, stripe }: Deps, code: string): Promise<void> {
  const { data } = await stripe.promotionCodes.list({ code, active: true, limit: 100 });
  for (const { id, metadata } of data) {
    const promotionId = metadata?.promotion_id;
    const promotion = promotionId === undefined ? undefined : await findPromotion(db, promotionId);
    if (promotion !== undefined && promotion.deactivated_at !== null)
      await stripe.promotionCodes.update(id, { active: false });
  }
}

const durationOf = (
  months: number | null,
): Pick<Stripe.CouponCreateParams, 'duration' | 'duration_in_months'> => {
  if (months === null) return { duration: 'forever' };
  return months === 1
    ? { duration: 'once' }
    : { duration: 'repeating', duration_in_months: months };
};

/** Creates a promotion's code at the provider, or deactivates it. */
export async function syncPromotion(deps: BillingDeps, id: string): Promise<void> {
  const promotion = await findPromotion(deps.db, id);
  if (promotion === undefined) return;
  if (promotion.deactivated_at === null) await ensureCode(deps, promotion);
  else await deactivateOver(deps, promotion.code);
}

/**
 * Keeps a discount of the first payment until that payment, and returns the subscription. The $0 invoice of a trial may
 * use up a one-time coupon, so it is put back.
 */
export async function keepFirstDiscount(
  { db, stripe }: Pick<BillingDeps, 'db' | 'stripe'>,
  subscription: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const { id, status, discounts, metadata, trial_start, start_date } = subscription;
  const { promotion_id, checkout_id } = metadata;
  const isGone = status === 'trialing' && discounts.length === 0;
  if (!isGone || promotion_id === undefined || checkout_id === undefined) return subscription;
  // A later free period: the first payment was made.
  if (freeDaysOf(subscription) !== null && trial_start !== start_date) return subscription;
  const promotion = await findPromotionOfCheckout(db, checkout_id);
  if (promotion?.months !== 1) return subscription;
  if (promotion.plan !== null && promotion.plan !== planOf(subscription)) return subscription;
  return stripe.subscriptions.update(
    id,
    { discounts: [{ coupon: promotion.id }], expand: subscriptionParts },
    { idempotencyKey: `first-discount:${id}` },
  );
}

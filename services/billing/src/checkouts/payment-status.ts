import type { PaymentStatus } from '@daylift/contracts/billing.http';
import { startedWithTrial } from '../customers/trial-uses.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { PaymentUnavailable, UnknownSession } from '../errors.ts';
import { findGiftBySession } from '../gifts/gifts.repository.ts';
import { hasPaidInvoice } from '../invoices/invoices.repository.ts';
import { isMissing } from '../stripe-client.ts';
import { firstChargeWithoutTrial } from '../subscriptions/free-time.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { type Checkout, findCheckoutBySession } from './checkouts.repository.ts';
import { fulfillCheckout, type Outcome } from './fulfillment.ts';

/**
 * Returns the state of a payment. Asks the provider only about our own open sessions. The browser often arrives before
 * the webhook, so this fulfills the purchase too.
 */
export async function findPaymentStatus(
  deps: BillingDeps,
  sessionId: string,
): Promise<PaymentStatus> {
  const checkout = await findCheckoutBySession(deps.db, sessionId);
  const payment_status = await outcomeOf(deps, checkout, sessionId);
  if (payment_status === 'open') return { payment_status: 'pending', open: true };
  if (checkout === undefined || payment_status !== 'paid') return { payment_status };
  const trial = await startedWithTrial(deps.db, checkout);
  const isLonger = trial && checkout.trial_days > deps.catalogue.trial_days;
  const firstCharge = trial
    ? checkout.free_until
    : await findFirstCharge(deps, sessionId, checkout);
  return {
    ...{ payment_status, trial },
    ...(isLonger && { trial_days: checkout.trial_days }),
    ...(firstCharge !== null && { first_charge_at: firstCharge.toISOString() }),
  };
}

/** Returns when a plan without a trial is first charged if free access postpones that, or null. */
async function findFirstCharge(
  { db, clock }: BillingDeps,
  sessionId: string,
  { free_until, trial_days }: Checkout,
): Promise<Date | null> {
  if (free_until === null && trial_days === 0) return null;
  // Read again, as this request may have fulfilled it.
  const bought = (await findCheckoutBySession(db, sessionId))?.stripe_subscription_id ?? '';
  const row = await findSubscriptionByStripeId(db, bought);
  // Free time given since then postpones a later charge.
  if (row !== undefined && (await hasPaidInvoice(db, row.user_id, bought))) return free_until;
  // Its trial ends immediately, but may not have ended yet.
  if (row?.status === 'trial') return free_until ?? firstChargeWithoutTrial(row, clock.now());
  return row?.free_until ?? free_until;
}

async function outcomeOf(
  deps: BillingDeps,
  checkout: Checkout | undefined,
  sessionId: string,
): Promise<Outcome> {
  if (checkout === undefined) {
    const gift = await findGiftBySession(deps.db, sessionId);
    if (gift === undefined) throw new UnknownSession();
    if (gift.paid_at !== null) return 'paid';
  }
  if (checkout?.status === 'expired') return 'expired';
  if (checkout?.payment_status === 'paid') return 'paid';
  try {
    return await fulfillCheckout(deps, sessionId);
  } catch (error) {
    if (isMissing(error)) throw new UnknownSession();
    deps.log.error({ err: error }, 'payment lookup failed');
    throw new PaymentUnavailable();
  }
}

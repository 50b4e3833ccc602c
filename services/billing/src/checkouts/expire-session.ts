import Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { endCheckout } from './checkouts.repository.ts';
import { fulfillCheckout } from './fulfillment.ts';

/** Expires the provider's page, or fulfills what was paid on it. Returns whether it has ended. */
export async function expireSession(
  deps: BillingDeps,
  sessionId: string,
  key: string,
): Promise<boolean> {
  try {
    await deps.stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return !['open', 'pending'].includes(await fulfillCheckout(deps, sessionId));
  }
  await endCheckout(deps.db, sessionId, {
    status: 'expired',
    payment_status: null,
    stripe_subscription_id: null,
  });
  return true;
}

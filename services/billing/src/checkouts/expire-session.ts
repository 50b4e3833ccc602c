import Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { fulfilCheckout } from '../payments/fulfilment.ts';
import { endCheckout } from './checkouts.repository.ts';

/** Closes the provider's page, or takes over what was paid on it meanwhile. Answers whether it is over. */
export async function expireSession(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'stripe' | 'wake'>,
  sessionId: string,
  key: string,
): Promise<boolean> {
  try {
    await deps.stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return (await fulfilCheckout(deps, sessionId)) !== 'pending';
  }
  await endCheckout(deps.db, sessionId, { status: 'expired', payment_status: null });
  return true;
}

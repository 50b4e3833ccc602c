import type { PaymentStatus } from '@daylift/contracts/billing.http';
import { findCheckoutBySession } from '../checkouts/checkouts.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { PaymentUnavailable, UnknownSession } from '../errors.ts';
import { isMissing } from '../stripe-client.ts';
import { fulfilCheckout } from './fulfilment.ts';

/**
 * How a payment of ours stands. The provider is asked only about sessions that we opened and that are not over; the
 * browser often comes before the webhook, so what was bought is given here too.
 */
export async function findPaymentStatus(
  deps: BillingDeps,
  sessionId: string,
): Promise<PaymentStatus['payment_status']> {
  const checkout = await findCheckoutBySession(deps.db, sessionId);
  if (checkout === undefined) throw new UnknownSession();
  if (checkout.status === 'expired') return 'expired';
  if (checkout.payment_status === 'paid') return 'paid';
  try {
    return await fulfilCheckout(deps, sessionId);
  } catch (error) {
    if (isMissing(error)) throw new UnknownSession();
    deps.log.error({ err: error }, 'a payment could not be looked at');
    throw new PaymentUnavailable();
  }
}

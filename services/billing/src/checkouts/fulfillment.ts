import { minuteMs } from '@daylift/clock/durations';
import type { PaymentStatus } from '@daylift/contracts/billing.http';
import { noteActivity } from '@daylift/server/activity';
import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { fulfillGift } from '../gifts/fulfill-gift.ts';
import { findTakenBack } from '../gifts/gifts.repository.ts';
import { keepFirstDiscount } from '../promotions/provider-promotion.ts';
import { enqueueTask, enqueueTaskOnce } from '../provider-tasks/provider-tasks.repository.ts';
import { readSubscription, subscriptionParts } from '../subscriptions/provider-subscription.ts';
import { applySubscription } from '../subscriptions/subscriptions.actions.ts';
import { takeReadTicket } from '../subscriptions/subscriptions.repository.ts';
import { endCheckout } from './checkouts.repository.ts';

/** `open` until a card is entered; `pending` until its subscription exists. */
export type Outcome = PaymentStatus['payment_status'] | 'open';

/**
 * Reads a checkout session at the provider and grants what was bought. The webhook and the success page both call
 * this, in any order, repeatedly and concurrently, with the same result.
 */
export async function fulfillCheckout(deps: BillingDeps, sessionId: string): Promise<Outcome> {
  const { db, clock, stripe, wake, refundEndsAccess } = deps;
  const ticket = await takeReadTicket(db);
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['subscription', ...subscriptionParts.map((part) => `subscription.${part}`)],
  });
  if (session.mode === 'payment') return fulfillGift(deps, session);
  const outcome = outcomeOf(session);
  if (outcome === 'pending' || outcome === 'open') return outcome;
  const bought = session.subscription;
  const subscription =
    bought === null || typeof bought === 'string'
      ? null
      : await readSubscription(deps, await keepFirstDiscount({ db, stripe }, bought));
  await db.transaction().execute(async (trx) => {
    if (subscription !== null)
      await applySubscription(trx, { subscription, ticket, refundEndsAccess }, clock.now());
    if (subscription?.free_until) {
      // A gift may have been returned while this checkout had its months. Settling it first moves the charge.
      const gifts = await findTakenBack(trx, subscription.id);
      const now = clock.now();
      await enqueueTask(trx, 'settle_gift', gifts, now);
      const announcedAt = new Date(now.getTime() + (gifts.length > 0 ? minuteMs : 0));
      await enqueueTaskOnce(trx, 'announce_first_charge', [subscription.id], announcedAt);
    }
    await endCheckout(trx, sessionId, {
      status: outcome === 'expired' ? 'expired' : 'complete',
      payment_status: outcome === 'expired' ? null : outcome,
      stripe_subscription_id: subscription?.id ?? null,
    });
  });
  // The success page's request is a read, so it isn't counted otherwise.
  noteActivity();
  wake('provider-tasks');
  return outcome;
}

/** A trial counts as paid although no money moved; only `unpaid` means that a payment is due. */
export function outcomeOf(
  session: Pick<Stripe.Checkout.Session, 'status' | 'payment_status' | 'subscription'>,
): Outcome {
  if (session.status === 'expired') return 'expired';
  if (session.status === 'open') return 'open';
  if (session.status !== 'complete' || session.subscription === null) return 'pending';
  return session.payment_status === 'unpaid' ? 'unpaid' : 'paid';
}

import { stopCollection } from '../invoices/invoices.ts';
import { type Act, amend } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';

export const hasEnded = ({ status }: Subscription): boolean => status === 'canceled';

/** Ends a subscription for good and stops the collection of its invoices. */
export function endSubscription(
  act: Act,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const { tables } = act;
  const ended = amend(act, tables.subscriptions, subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? act.at,
    ended_at: act.at,
    cancellation_details: { ...subscription.cancellation_details!, reason },
  });
  for (const invoice of tables.invoices.by('subscription', subscription.id)) {
    if (invoice.status === 'draft' || invoice.status === 'open') stopCollection(act, invoice);
  }
  act.emit('customer.subscription.deleted', ended);
  return ended;
}

import { stopCollection } from '../invoices/invoices.ts';
import { type Act, amend } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';

export const hasEnded = ({ status }: Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/** Ends a subscription for good and stops the collection of its invoices. */
export function endSubscription(
  act: Act,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const { tables } = act;
  const details = subscription.cancellation_details!;
  const ended = amend(act, tables.subscriptions, subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? act.at,
    ended_at: act.at,
    cancellation_details: { ...details, reason },
  });
  for (const invoice of tables.invoices.by('subscription', subscription.id)) {
    if (invoice.status === 'draft' || invoice.status === 'open') stopCollection(act, invoice);
  }
  for (const item of tables.invoiceItems.by('pending', subscription.customer)) {
    if (item.parent?.subscription_details?.subscription === subscription.id) {
      tables.invoiceItems.remove(item.id);
    }
  }
  act.emit('customer.subscription.deleted', ended);
  return ended;
}

import { stopCollection } from '../invoices/invoices.ts';
import { type Act, amend } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';

type Reason = 'cancellation_requested' | 'payment_failed' | null;

/** Ends a subscription for good; nothing of it is collected any more. */
export function endSubscription(
  act: Act,
  subscription: Subscription,
  reason: Reason,
): Subscription {
  const { tables } = act;
  const details = subscription.cancellation_details;
  const ended = amend(
    act,
    tables.subscriptions,
    subscription,
    {
      status: 'canceled',
      canceled_at: subscription.canceled_at ?? act.at,
      ended_at: act.at,
      cancellation_details: {
        comment: details?.comment ?? null,
        feedback: details?.feedback ?? null,
        feedback_option: details?.feedback_option ?? null,
        reason: reason ?? details?.reason ?? null,
      },
    },
    null,
  );
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

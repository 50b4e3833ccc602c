import { discountsAfter } from '../invoices/discounts.ts';
import { voidInvoice } from '../invoices/finalize-invoice.ts';
import { periodCharging } from '../invoices/invoice-lines.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import type { Act } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';
import { endSubscription } from './end-subscription.ts';
import { nextBoundary } from './periods.ts';
import {
  amendSubscription,
  announceTrialEnd,
  currentPeriod,
  itemOf,
  itemsWith,
  monthsOf,
} from './subscriptions.ts';

/** How long a renewal invoice stays a draft. */
const DRAFT_SECONDS = 3600;

/** Applies the passing of time to a subscription that is due. */
export function advanceSubscription(act: Act, subscription: Subscription): void {
  const { cancel_at } = subscription;
  if (cancel_at !== null && act.at >= cancel_at) {
    endSubscription(act, subscription, 'cancellation_requested');
  } else if (act.at < currentPeriod(subscription).end) announceTrialEnd(act, subscription);
  else renew(act, subscription);
}

/**
 * Starts the next period. After a trial the status is immediately `active`, although the invoice stays a draft
 * before it is charged. While collection is paused, it is immediately void; as at Stripe, earlier invoices aren't.
 */
function renew(act: Act, subscription: Subscription): void {
  const { tables } = act;
  const past = currentPeriod(subscription);
  const { billing_cycle_anchor: anchor } = subscription;
  const item = itemOf(subscription);
  const end = nextBoundary(anchor, monthsOf(item.price), past.end);
  const items = itemsWith(item, { start: past.end, end });
  const status = subscription.status === 'trialing' ? 'active' : subscription.status;
  const invoice = draftInvoice(act, {
    customer: tables.customers.find(subscription.customer)!,
    subscription: { ...subscription, items, status },
    billing_reason: 'subscription_cycle',
    charging: [periodCharging(tables, items.data[0]!)],
    period: past,
    finalizes_at: act.at + DRAFT_SECONDS,
  });
  if (subscription.pause_collection !== null) voidInvoice(act, invoice);
  const discounts = discountsAfter(act, subscription);
  amendSubscription(act, subscription, { items, status, discounts, latest_invoice: invoice.id });
}

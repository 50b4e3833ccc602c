import { voidInvoice } from '../invoices/finalize-invoice.ts';
import { periodCharging } from '../invoices/invoice-lines.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import type { Act } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';
import { endSubscription } from './end-subscription.ts';
import {
  amendSubscription,
  announceTrialEnd,
  currentPeriod,
  payingMethod,
  periodEndAfter,
  pricesOf,
  withPeriod,
} from './subscriptions.ts';

/** How long a renewal invoice stays a draft. */
const DRAFT_SECONDS = 3600;

/** Applies the passing of time to a subscription that is due. */
export function advanceSubscription(act: Act, subscription: Subscription): void {
  const period = currentPeriod(subscription);
  if (subscription.status === 'incomplete') expireIncomplete(act, subscription);
  else if (subscription.cancel_at !== null && act.at >= subscription.cancel_at) {
    endSubscription(act, subscription, 'cancellation_requested');
  } else if (act.at < period.end) announceTrialEnd(act, subscription);
  else if (subscription.status === 'trialing' && !payingMethod(act, subscription)) {
    endTrialWithoutCard(act, subscription);
  } else renew(act, subscription);
}

function expireIncomplete(act: Act, subscription: Subscription): void {
  const invoice = act.tables.invoices.find(subscription.latest_invoice!);
  if (invoice?.status === 'open') voidInvoice(act, invoice);
  amendSubscription(act, subscription, { status: 'incomplete_expired', ended_at: act.at });
}

function endTrialWithoutCard(act: Act, subscription: Subscription): void {
  const behavior = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (behavior === 'cancel') endSubscription(act, subscription, 'cancellation_requested');
  else if (behavior !== 'pause') renew(act, subscription);
  else {
    const paused = amendSubscription(act, subscription, {
      status: 'paused',
      status_details: {
        paused: {
          subscription: { type: 'trial_end_without_payment_method' },
          transitioned_at: act.at,
          type: 'subscription',
        },
      },
    });
    act.emit('customer.subscription.paused', paused);
  }
}

/**
 * Begins the next period. After a trial the status is `active` at once, although the invoice stays a draft
 * before it is charged.
 */
function renew(act: Act, subscription: Subscription): void {
  const { tables } = act;
  const past = currentPeriod(subscription);
  const period = {
    start: past.end,
    end: periodEndAfter(subscription, pricesOf(subscription), past.end),
  };
  const next = {
    ...subscription,
    items: withPeriod(subscription, subscription.items.data, period),
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
  } as Subscription;
  const invoice = draftInvoice(act, {
    customer: tables.customers.find(subscription.customer)!,
    subscription: next,
    billing_reason: 'subscription_cycle',
    charging: next.items.data.map((item) => periodCharging(tables, item, period)),
    period: past,
    finalizes_at: act.at + DRAFT_SECONDS,
  });
  const { items, status } = next;
  amendSubscription(act, subscription, { items, status, latest_invoice: invoice.id });
}

import { refused } from '../api/stripe-error.ts';
import { applyBalance } from '../invoices/balance-application.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { pendingItem } from '../invoices/invoice-lines.ts';
import { draftInvoice, waitingItems } from '../invoices/invoices.ts';
import type { Act } from '../state/act.ts';
import { difference } from '../state/difference.ts';
import { nulls, type Subscription } from '../state/objects.ts';
import { collectInvoice, refuseUnpayable } from './collection.ts';
import { type PlanChange, planChange } from './plan-change.ts';
import { amendSubscription, currentPeriod, payingMethod } from './subscriptions.ts';

interface SubscriptionChange {
  /** Fields that are set as given. */
  fields: Partial<Subscription>;
  plan: PlanChange;
  payment_behavior?: 'allow_incomplete' | 'error_if_incomplete' | 'default_incomplete' | undefined;
  cancel_at_period_end?: boolean | undefined;
  /** Null clears a planned end. */
  cancel_at?: number | 'min_period_end' | 'max_period_end' | null | undefined;
}

/** Changes a subscription. An amount due is invoiced and charged at once. */
export function updateSubscription(
  act: Act,
  subscription: Subscription,
  change: SubscriptionChange,
): Subscription {
  const { tables } = act;
  const { fields, invoice_now, later } = planChange(tables, act.at, subscription, change.plan);
  const planned = { ...subscription, ...change.fields, ...fields };
  const next: Subscription = { ...planned, ...plannedEnd(act, planned, change) };
  // With `error_if_incomplete` nothing is changed if the card would decline.
  if (change.payment_behavior === 'error_if_incomplete' && invoice_now) {
    const lines = [...waitingItems(tables, next), ...invoice_now];
    const total = lines.reduce((sum, line) => sum + line.amount, 0);
    const { balance } = tables.customers.get(next.customer);
    const isFree = applyBalance(total, balance).amount_due === 0;
    if (!isFree) refuseUnpayable(act, payingMethod(act, next)?.id);
  }
  tables.subscriptions.save(next);
  for (const line of later) tables.invoiceItems.save(pendingItem(next.customer, act.at, line));
  const invoice =
    invoice_now &&
    finalizeInvoice(
      act,
      draftInvoice(act, {
        customer: tables.customers.get(next.customer),
        subscription: next,
        billing_reason: 'subscription_update',
        charging: invoice_now,
        period: { start: currentPeriod(subscription).start, end: act.at },
        finalizes_at: null,
      }),
    );
  const after = invoice ? { ...next, latest_invoice: invoice.id } : next;
  tables.subscriptions.save(after);
  const previous = difference(subscription, after);
  if (Object.keys(previous).length > 0) act.emit('customer.subscription.updated', after, previous);
  if (invoice?.status === 'open' && change.payment_behavior !== 'default_incomplete') {
    collectInvoice(act, invoice, { planned: true, present: false });
  }
  return tables.subscriptions.get(subscription.id);
}

/** Returns the fields of the planned end: at the period's end, at an instant, or none. */
function plannedEnd(
  act: Act,
  subscription: Subscription,
  { cancel_at, cancel_at_period_end }: SubscriptionChange,
): Partial<Subscription> {
  const { end } = currentPeriod(subscription);
  if (cancel_at_period_end && cancel_at) {
    throw refused(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      { param: 'cancel_at' },
    );
  }
  if (cancel_at_period_end) return endPlanned(act, subscription, end, true);
  if (typeof cancel_at === 'string') return endPlanned(act, subscription, end, false);
  if (typeof cancel_at === 'number') {
    if (cancel_at > act.at) return endPlanned(act, subscription, cancel_at, false);
    throw refused('cancel_at must be in the future.', { param: 'cancel_at' });
  }
  const isUndone = cancel_at_period_end === false && subscription.cancel_at_period_end;
  if (cancel_at === null || isUndone) return noEndPlanned;
  return subscription.cancel_at_period_end ? { cancel_at: end } : {};
}

const noEndPlanned = {
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: nulls('comment feedback feedback_option reason'),
};

function endPlanned(
  act: Act,
  { canceled_at, cancellation_details }: Subscription,
  cancel_at: number,
  cancel_at_period_end: boolean,
): Partial<Subscription> {
  return {
    cancel_at,
    cancel_at_period_end,
    canceled_at: canceled_at ?? act.at,
    cancellation_details: { ...cancellation_details!, reason: 'cancellation_requested' },
  };
}

/** Plans the end as the customer portal does in flexible billing: with `cancel_at` alone. */
export function planEndInPortal(act: Act, subscription: Subscription): void {
  const { end } = currentPeriod(subscription);
  amendSubscription(act, subscription, endPlanned(act, subscription, end, false));
}

export function undoPlannedEnd(act: Act, subscription: Subscription): void {
  amendSubscription(act, subscription, noEndPlanned);
}

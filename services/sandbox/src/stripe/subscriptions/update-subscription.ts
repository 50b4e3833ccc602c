import { refused } from '../api/stripe-error.ts';
import { applyBalance } from '../invoices/balance-application.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { pendingItem } from '../invoices/invoice-lines.ts';
import { draftInvoice, waitingItems } from '../invoices/invoices.ts';
import { chargeDecline } from '../payments/payment-intents.ts';
import { methodBehaviour } from '../payments/payment-methods.ts';
import { type Act, amend } from '../state/act.ts';
import { difference } from '../state/difference.ts';
import type { Invoice, Subscription } from '../state/objects.ts';
import { collectInvoice, noCard, paymentError } from './collection.ts';
import { type PlanChange, type PlannedChange, planChange } from './plan-change.ts';
import { currentPeriod, payingMethod } from './subscriptions.ts';

export type PaymentBehavior = 'allow_incomplete' | 'error_if_incomplete' | 'default_incomplete';

export interface SubscriptionChange {
  /** Fields that are simply set. */
  fields: Partial<Subscription>;
  plan: PlanChange;
  payment_behavior: PaymentBehavior;
  cancel_at_period_end?: boolean;
  /** Null takes a planned end away. */
  cancel_at?: number | 'min_period_end' | 'max_period_end' | null;
}

/** Changes a subscription; where the change asks for money, its invoice is made and charged at once. */
export function updateSubscription(
  act: Act,
  subscription: Subscription,
  change: SubscriptionChange,
): Subscription {
  const { tables } = act;
  const plan = planChange(tables, act.at, subscription, change.plan);
  const planned = { ...subscription, ...change.fields, ...plan.fields };
  const next: Subscription = { ...planned, ...plannedEnd(act, planned, change) };
  if (change.payment_behavior === 'error_if_incomplete') refuseUnpayable(act, next, plan);
  const hidden = tables.subscriptions.hidden(subscription.id);
  tables.subscriptions.save(next, hidden);
  for (const line of plan.later) {
    tables.invoiceItems.save(pendingItem(next.customer, act.at, line), null);
  }
  const invoice = plan.invoice_now && invoiceNow(act, next, plan.invoice_now, subscription);
  if (invoice) tables.subscriptions.save({ ...next, latest_invoice: invoice.id }, hidden);
  report(act, subscription);
  if (invoice?.status === 'open' && change.payment_behavior !== 'default_incomplete') {
    collectInvoice(act, invoice, { planned: true, present: false });
  }
  return tables.subscriptions.find(subscription.id)!;
}

function report(act: Act, before: Subscription): void {
  const after = act.tables.subscriptions.find(before.id)!;
  const previous = difference(before, after);
  if (Object.keys(previous).length > 0) {
    act.emit('customer.subscription.updated', after, previous);
  }
}

function invoiceNow(
  act: Act,
  subscription: Subscription,
  charging: NonNullable<PlannedChange['invoice_now']>,
  before: Subscription,
): Invoice {
  const draft = draftInvoice(act, {
    customer: act.tables.customers.find(subscription.customer)!,
    subscription,
    billing_reason: 'subscription_update',
    charging,
    period: { start: currentPeriod(before).start, end: act.at },
    finalizes_at: null,
  });
  return finalizeInvoice(act, draft);
}

/** With `error_if_incomplete` nothing at all is changed when the card would refuse. */
function refuseUnpayable(act: Act, subscription: Subscription, plan: PlannedChange): void {
  if (!plan.invoice_now) return;
  const waiting = waitingItems(act.tables, subscription);
  const total = [...waiting, ...plan.invoice_now].reduce((sum, line) => sum + line.amount, 0);
  const { balance } = act.tables.customers.find(subscription.customer)!;
  if (applyBalance(total, balance).amount_due === 0) return;
  const method = payingMethod(act, subscription);
  if (!method) throw noCard();
  const decline = chargeDecline(act, methodBehaviour(act, method.id), false);
  if (decline) throw paymentError(decline);
}

/** The end that is planned after the change: at the period's end, at an instant, or none. */
function plannedEnd(
  act: Act,
  subscription: Subscription,
  change: SubscriptionChange,
): Partial<Subscription> {
  const { cancel_at, cancel_at_period_end } = change;
  const end = currentPeriod(subscription).end;
  if (cancel_at_period_end && cancel_at) {
    throw refused(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      {
        param: 'cancel_at',
      },
    );
  }
  if (cancel_at_period_end) return endPlanned(act, subscription, end, true);
  if (typeof cancel_at === 'string') return endPlanned(act, subscription, end, false);
  if (typeof cancel_at === 'number') {
    if (cancel_at <= act.at)
      throw refused('cancel_at must be in the future.', { param: 'cancel_at' });
    return endPlanned(act, subscription, cancel_at, false);
  }
  const undone =
    cancel_at === null || (cancel_at_period_end === false && subscription.cancel_at_period_end);
  if (undone) {
    return {
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    };
  }
  return subscription.cancel_at_period_end ? { cancel_at: end } : {};
}

/** How a subscription looks once its end is planned. */
export function endPlanned(
  act: Act,
  subscription: Subscription,
  cancel_at: number,
  cancel_at_period_end: boolean,
): Partial<Subscription> {
  const details = subscription.cancellation_details;
  return {
    cancel_at,
    cancel_at_period_end,
    canceled_at: subscription.canceled_at ?? act.at,
    cancellation_details: {
      comment: details?.comment ?? null,
      feedback: details?.feedback ?? null,
      feedback_option: null,
      reason: 'cancellation_requested',
    },
  };
}

/** Plans the end as the customer portal does in flexible billing: `cancel_at` alone. */
export function planEndInPortal(act: Act, subscription: Subscription): Subscription {
  const fields = endPlanned(act, subscription, currentPeriod(subscription).end, false);
  return amend(
    act,
    act.tables.subscriptions,
    subscription,
    fields,
    'customer.subscription.updated',
  );
}

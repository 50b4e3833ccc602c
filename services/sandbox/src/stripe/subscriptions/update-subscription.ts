import { refused } from '../api/stripe-error.ts';
import { applyBalance } from '../invoices/balance-application.ts';
import { discountsAfter, startDiscount } from '../invoices/discounts.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { buildInvoice, draftInvoice } from '../invoices/invoices.ts';
import type { Act } from '../state/act.ts';
import { nulls, type Subscription } from '../state/objects.ts';
import { collectInvoice, rejectUnpayable } from './collection.ts';
import { type PlanChange, planChange } from './plan-change.ts';
import { amendSubscription, currentPeriod, payingMethod } from './subscriptions.ts';

interface SubscriptionChange {
  plan: PlanChange;
  /** Changes nothing if the card would decline. */
  error_if_incomplete: boolean;
  cancel_at_period_end: boolean | undefined;
  /** Null clears a planned end. */
  cancel_at: number | null | undefined;
  metadata: Record<string, string>;
  /** Replaces all discounts; null removes them. */
  discounts: { coupon: string }[] | null | undefined;
  /** Null resumes collection. */
  pause_collection: { behavior: 'void' } | null | undefined;
}

/** Changes a subscription. An amount due is invoiced and charged immediately. */
export function updateSubscription(
  act: Act,
  subscription: Subscription,
  change: SubscriptionChange,
): Subscription {
  const { tables } = act;
  const { fields, charging } = planChange(tables, act.at, subscription, change.plan);
  const planned = { ...subscription, ...fields };
  const { metadata, pause_collection } = change;
  const next: Subscription = {
    ...planned,
    ...plannedEnd(act, planned, change),
    metadata,
    ...(change.discounts !== undefined && {
      discounts: discountsFor(act, subscription, change.discounts ?? []),
    }),
    ...(pause_collection !== undefined && {
      pause_collection: pause_collection && { ...pause_collection, resumes_at: null },
    }),
  };
  const customer = tables.customers.get(next.customer);
  const bill = charging && {
    customer,
    subscription: next,
    billing_reason: 'subscription_update' as const,
    charging,
    period: { start: currentPeriod(subscription).start, end: act.at },
    finalizes_at: null,
  };
  if (change.error_if_incomplete && bill) {
    const { total } = buildInvoice(tables, act.at, '', bill);
    const isFree = applyBalance(total, customer.balance, next.currency).amount_due === 0;
    if (!isFree) rejectUnpayable(act, payingMethod(act, next)?.id);
  }
  const draft = bill && draftInvoice(act, bill);
  const invoice = draft && finalizeInvoice(act, draft);
  const changed = amendSubscription(act, subscription, {
    ...next,
    ...(invoice && { latest_invoice: invoice.id, discounts: discountsAfter(act, next) }),
  });
  if (typeof change.plan.trial_end === 'number')
    tables.subscriptions.save(changed, { trial_will_end_sent: false });
  if (invoice?.status !== 'open') return changed;
  collectInvoice(act, invoice, { planned: true });
  return tables.subscriptions.get(subscription.id);
}

const discountsFor = (act: Act, { id, customer }: Subscription, wanted: { coupon: string }[]) =>
  wanted.map(
    ({ coupon }) => startDiscount(act, { customer, subscription: id }, { coupon, code: null }).id,
  );

/** Returns the fields of the planned end: at the period's end, at an instant, or none. */
function plannedEnd(
  act: Act,
  subscription: Subscription,
  { cancel_at, cancel_at_period_end }: SubscriptionChange,
): Partial<Subscription> {
  const { end } = currentPeriod(subscription);
  const { canceled_at, cancellation_details } = subscription;
  const endAt = (at: number, atPeriodEnd: boolean): Partial<Subscription> => ({
    cancel_at: at,
    cancel_at_period_end: atPeriodEnd,
    canceled_at: canceled_at ?? act.at,
    cancellation_details: { ...cancellation_details!, reason: 'cancellation_requested' },
  });
  if (cancel_at_period_end && cancel_at) {
    throw refused(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      { param: 'cancel_at' },
    );
  }
  if (cancel_at_period_end) return endAt(end, true);
  if (cancel_at) {
    if (cancel_at > act.at) return endAt(cancel_at, false);
    throw refused('cancel_at must be in the future.', { param: 'cancel_at' });
  }
  const isUndone = cancel_at_period_end === false && subscription.cancel_at_period_end;
  if (cancel_at === null || isUndone) {
    return {
      ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null },
      cancellation_details: nulls('comment feedback feedback_option reason'),
    };
  }
  return subscription.cancel_at_period_end ? { cancel_at: end } : {};
}

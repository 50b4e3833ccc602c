import { refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { Invoice, Subscription } from '../state/objects.ts';
import { hasEnded } from '../subscriptions/end-subscription.ts';
import { type PlanChange, type PlannedChange, planChange } from '../subscriptions/plan-change.ts';
import { currentPeriod, periodEndAfter, pricesOf } from '../subscriptions/subscriptions.ts';
import { applyBalance } from './balance-application.ts';
import { type Charging, type Period, periodCharging } from './invoice-lines.ts';
import { buildInvoice, chargingOf, waitingItems } from './invoices.ts';

interface PreviewChange {
  plan: PlanChange;
  cancel_at_period_end: boolean | undefined;
}

/** Returns the next invoice as it would be after a change of the subscription. Nothing is stored. */
export function previewInvoice(
  act: Act,
  subscription: Subscription,
  change: PreviewChange | null,
): Invoice {
  const customer = act.tables.customers.find(subscription.customer)!;
  const plan = change ? planChange(act.tables, act.at, subscription, change.plan) : null;
  const next = {
    ...subscription,
    ...plan?.fields,
    ...(change?.cancel_at_period_end === true && { cancel_at: currentPeriod(subscription).end }),
    ...(change?.cancel_at_period_end === false && { cancel_at: null }),
  } as Subscription;
  const charging = upcomingCharging(act, next, plan);
  const period = plan?.invoice_now
    ? { start: currentPeriod(subscription).start, end: act.at }
    : currentPeriod(next);
  const invoice = buildInvoice(plan?.invoice_now ? act.at : period.end, newId('upcoming_in'), {
    customer,
    subscription: next,
    billing_reason: 'upcoming',
    charging,
    period,
    finalizes_at: null,
  });
  const { amount_due, starting_balance, ending_balance } = applyBalance(
    invoice.total,
    customer.balance,
  );
  return { ...invoice, amount_due, amount_remaining: amount_due, starting_balance, ending_balance };
}

function upcomingCharging(
  act: Act,
  subscription: Subscription,
  plan: PlannedChange | null,
): Charging[] {
  const waiting = waitingItems(act.tables, subscription).map(chargingOf);
  if (plan?.invoice_now) return [...waiting, ...plan.invoice_now];
  const { end } = currentPeriod(subscription);
  if (
    hasEnded(subscription) ||
    (subscription.cancel_at !== null && subscription.cancel_at <= end)
  ) {
    throw refused('No upcoming invoices for customer: the subscription ends before.', {
      code: 'invoice_upcoming_none',
    });
  }
  const period: Period = {
    start: end,
    end: periodEndAfter(subscription, pricesOf(subscription), end),
  };
  const renewal = subscription.items.data.map((item) => periodCharging(act.tables, item, period));
  return [...waiting, ...(plan?.later ?? []), ...renewal];
}

import { wholeList } from '../api/list.ts';
import { planOf } from '../catalogue/catalogue.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { PaymentMethod, Price, Subscription, SubscriptionItem } from '../state/objects.ts';

export interface Period {
  start: number;
  end: number;
}

/** Builds the one item of a subscription. */
export function buildItem(
  at: number,
  subscription: string,
  price: Price,
  period: Period,
): SubscriptionItem {
  return {
    id: newId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: at,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription,
    tax_rates: [],
  };
}

export const itemOf = (subscription: Subscription): SubscriptionItem => subscription.items.data[0]!;

/** Returns the length of a period. */
export function monthsOf({ recurring }: Price): number {
  const { interval, interval_count } = recurring!;
  return interval === 'year' ? 12 * interval_count : interval_count;
}

export function currentPeriod(subscription: Subscription): Period {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return { start, end };
}

/** Returns the items of a subscription: one, with this period. */
export function itemsWith(item: SubscriptionItem, { start, end }: Period): Subscription['items'] {
  return wholeList(`/v1/subscription_items?subscription=${item.subscription}`, [
    { ...item, current_period_start: start, current_period_end: end },
  ]);
}

/** Returns the card that a subscription is charged to: its own, else the customer's default. */
export function payingMethod(act: Act, subscription: Subscription): PaymentMethod | undefined {
  const customer = act.tables.customers.find(subscription.customer);
  const id =
    subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  return id ? act.tables.paymentMethods.find(id) : undefined;
}

export function amendSubscription(
  act: Act,
  subscription: Subscription,
  change: Partial<Subscription>,
): Subscription {
  const { subscriptions } = act.tables;
  return amend(act, subscriptions, subscription, change, 'customer.subscription.updated');
}

/** Announces, once, that a trial is about to end. */
export function announceTrialEnd(act: Act, subscription: Subscription): void {
  act.tables.subscriptions.save(subscription, { trial_will_end_sent: true });
  act.emit('customer.subscription.trial_will_end', subscription);
}

import { wholeList } from '../api/list.ts';
import { refused } from '../api/stripe-error.ts';
import { type Interval, planOf } from '../catalogue/prices.ts';
import type { Period } from '../invoices/invoice-lines.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { PaymentMethod, Price, Subscription, SubscriptionItem } from '../state/objects.ts';
import { nextBoundary } from './periods.ts';

export interface ItemSpec {
  price: Price;
  quantity: number;
  metadata?: Record<string, string>;
}

export function buildItem(
  at: number,
  subscription: string,
  spec: ItemSpec,
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
    metadata: spec.metadata ?? {},
    plan: planOf(spec.price),
    price: spec.price,
    quantity: spec.quantity,
    subscription,
    tax_rates: [],
  };
}

export function itemList(subscription: string, items: SubscriptionItem[]): Subscription['items'] {
  return wholeList(`/v1/subscription_items?subscription=${subscription}`, items);
}

/** Returns the interval of prices that are billed together, and refuses prices that differ. */
export function commonInterval(prices: readonly Price[]): { interval: Interval; count: number } {
  const [first] = prices;
  if (!first) throw refused('You must provide at least one item.', { param: 'items' });
  for (const price of prices) {
    if (!price.recurring) {
      throw refused(
        `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
        { param: 'items' },
      );
    }
    const same =
      price.recurring.interval === first.recurring?.interval &&
      price.recurring.interval_count === first.recurring.interval_count &&
      price.currency === first.currency;
    if (!same) {
      throw refused('All items of a subscription must share one currency and one interval.', {
        param: 'items',
      });
    }
  }
  const { interval, interval_count } = first.recurring!;
  return { interval: interval as Interval, count: interval_count };
}

/** Returns the end of the period that contains an instant. */
export function periodEndAfter(
  subscription: Subscription,
  prices: readonly Price[],
  after: number,
): number {
  const { interval, count } = commonInterval(prices);
  return nextBoundary(subscription.billing_cycle_anchor, interval, count, after);
}

export function pricesOf(subscription: Subscription): Price[] {
  return subscription.items.data.map((item) => item.price);
}

/** Returns the current period, which all items share. */
export function currentPeriod(subscription: Subscription): Period {
  const [item] = subscription.items.data;
  return { start: item!.current_period_start, end: item!.current_period_end };
}

export function withPeriod(
  { id }: Subscription,
  items: readonly SubscriptionItem[],
  { start, end }: Period,
): Subscription['items'] {
  return itemList(
    id,
    items.map((item) => ({ ...item, current_period_start: start, current_period_end: end })),
  );
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

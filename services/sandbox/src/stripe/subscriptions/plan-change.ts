import { refused } from '../api/stripe-error.ts';
import {
  type Charging,
  periodCharging,
  trialCharging,
  unusedTime,
} from '../invoices/invoice-lines.ts';
import type { Price, Subscription, SubscriptionItem } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { nextBoundary } from './periods.ts';
import { buildItem, currentPeriod, itemOf, itemsWith, monthsOf } from './subscriptions.ts';

export interface PlanChange {
  price: Price | undefined;
  trial_end: 'now' | number | undefined;
  proration: 'always_invoice' | 'none' | undefined;
  /** Prorates from that instant instead of from now. */
  prorated_from: number | undefined;
}

export interface PlannedChange {
  /** The changed fields of the subscription. */
  fields: Partial<Subscription>;
  /** Lines of an invoice to create immediately, or null for none. */
  charging: Charging[] | null;
}

/** Works out a change of price or the end of a trial. Nothing is stored. */
export function planChange(
  tables: Tables,
  at: number,
  subscription: Subscription,
  change: PlanChange,
): PlannedChange {
  const old = itemOf(subscription);
  const { price = old.price } = change;
  if (price.currency !== subscription.currency)
    throw refused(
      `The subscription's currency is ${subscription.currency}; it can't have a price in ${price.currency}.`,
      { param: 'items' },
    );
  const built = buildItem(at, subscription.id, price, currentPeriod(subscription));
  const item = { ...built, id: old.id, created: old.created };
  const trialing = subscription.status === 'trialing';
  if (typeof change.trial_end === 'number')
    return trialUntil(tables, at, subscription, { item, end: change.trial_end });
  if (trialing && change.trial_end === undefined) {
    return { fields: { items: itemsWith(item, currentPeriod(subscription)) }, charging: null };
  }
  if (!trialing && price.id === old.price.id) return { fields: {}, charging: null };
  if (!trialing && monthsOf(price) === monthsOf(old.price)) {
    if (change.proration !== 'none')
      throw refused('This sandbox changes the price of a period only without proration.', {
        param: 'proration_behavior',
      });
    return { fields: { items: itemsWith(item, currentPeriod(subscription)) }, charging: null };
  }
  const from = prorationStart(at, subscription, change.prorated_from);
  const unused =
    trialing || change.proration === 'none' ? [] : [unusedTime(tables, subscription, from)];
  const items = itemsWith(item, { start: at, end: nextBoundary(at, monthsOf(price), at) });
  return {
    fields: {
      items,
      billing_cycle_anchor: at,
      ...(trialing && { status: 'active', trial_end: at }),
    },
    charging: [
      ...unused.filter((line) => line.amount !== 0),
      periodCharging(tables, items.data[0]!),
    ],
  };
}

/** Moves the next charge to an instant. As at Stripe, a running plan becomes a trial until then, without credit. */
function trialUntil(
  tables: Tables,
  at: number,
  subscription: Subscription,
  { item, end }: { item: SubscriptionItem; end: number },
): PlannedChange {
  if (end <= at)
    throw refused('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    });
  const trialing = subscription.status === 'trialing';
  const start = trialing ? currentPeriod(subscription).start : at;
  const items = itemsWith(item, { start, end });
  return {
    fields: {
      items,
      billing_cycle_anchor: end,
      status: 'trialing',
      trial_start: trialing ? subscription.trial_start : at,
      trial_end: end,
    },
    charging: trialing ? null : [trialCharging(tables, items.data[0]!)],
  };
}

function prorationStart(at: number, subscription: Subscription, from = at): number {
  const { start, end } = currentPeriod(subscription);
  if (from >= start && from <= end) return from;
  throw refused('The `proration_date` must be within the current period of the subscription.', {
    param: 'proration_date',
  });
}

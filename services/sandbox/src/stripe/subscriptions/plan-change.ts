import { refused } from '../api/stripe-error.ts';
import {
  type Charging,
  type Period,
  periodCharging,
  priceText,
  productName,
} from '../invoices/invoice-lines.ts';
import { date } from '../pages/page.ts';
import type { Price, Subscription, SubscriptionItem } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { nextBoundary } from './periods.ts';
import {
  buildItem,
  commonInterval,
  currentPeriod,
  itemList,
  pricesOf,
  withPeriod,
} from './subscriptions.ts';

export interface ItemChange {
  id?: string;
  price?: Price;
  quantity?: number;
  deleted?: boolean;
  metadata?: Record<string, string>;
}

export interface PlanChange {
  items: ItemChange[];
  proration: 'create_prorations' | 'always_invoice' | 'none';
  /** Ends the trial at once, or moves its end. */
  trial_end: 'now' | number | null;
  reset_anchor: boolean;
  /** Prorates from that instant instead of from now. */
  prorated_from: number | null;
}

export interface PlannedChange {
  /** The changed fields of the subscription. */
  fields: Partial<Subscription>;
  /** Lines of an invoice to create at once, or null for none. */
  invoice_now: Charging[] | null;
  later: Charging[];
}

/** Works out a change of items, trial or cycle. Nothing is stored. */
export function planChange(
  tables: Tables,
  at: number,
  subscription: Subscription,
  change: PlanChange,
): PlannedChange {
  const items = changeItems(at, subscription, change.items);
  const before = commonInterval(pricesOf(subscription));
  const after = commonInterval(items.map((item) => item.price));
  if (subscription.status === 'trialing' && change.trial_end !== 'now') {
    return duringTrial(at, subscription, items, change.trial_end);
  }
  if (typeof change.trial_end === 'number') {
    throw refused('This sandbox moves the end of a trial only while the trial lasts.', {
      param: 'trial_end',
    });
  }
  const from = prorationStart(at, subscription, change.prorated_from);
  const trialEnds = subscription.status === 'trialing';
  const otherInterval = before.interval !== after.interval || before.count !== after.count;
  if (!trialEnds && !otherInterval && !change.reset_anchor) {
    return withinPeriod(tables, from, subscription, items, change.proration);
  }
  const period = { start: at, end: nextBoundary(at, after.interval, after.count, at) };
  const moved = withPeriod(subscription, items, period);
  const credits =
    trialEnds || change.proration === 'none' ? [] : creditsOf(tables, subscription, from);
  return {
    fields: {
      items: moved,
      billing_cycle_anchor: at,
      ...(trialEnds ? { status: 'active' as const, trial_end: at } : {}),
    },
    invoice_now: [...credits, ...moved.data.map((item) => periodCharging(tables, item, period))],
    later: [],
  };
}

function prorationStart(at: number, subscription: Subscription, from: number | null): number {
  if (from === null) return at;
  const { start, end } = currentPeriod(subscription);
  if (from >= start && from <= end) return from;
  throw refused('The `proration_date` must be within the current period of the subscription.', {
    param: 'proration_date',
  });
}

function duringTrial(
  at: number,
  subscription: Subscription,
  items: SubscriptionItem[],
  trial_end: number | null,
): PlannedChange {
  if (trial_end !== null && trial_end <= at) {
    throw refused('The trial end must be in the future; use `now` to end it at once.', {
      param: 'trial_end',
    });
  }
  const end = trial_end ?? subscription.trial_end!;
  const period = { start: currentPeriod(subscription).start, end };
  return {
    fields: {
      items: withPeriod(subscription, items, period),
      trial_end: end,
      billing_cycle_anchor: end,
    },
    invoice_now: null,
    later: [],
  };
}

function withinPeriod(
  tables: Tables,
  at: number,
  subscription: Subscription,
  items: SubscriptionItem[],
  proration: PlanChange['proration'],
): PlannedChange {
  const fields = { items: itemList(subscription.id, items) };
  const period = currentPeriod(subscription);
  const differs = items.filter((item) => !sameTerms(subscription, item));
  const gone = subscription.items.data.filter(
    (old) => !items.some((item) => item.id === old.id && sameTerms(subscription, item)),
  );
  if (proration === 'none' || (differs.length === 0 && gone.length === 0)) {
    return { fields, invoice_now: null, later: [] };
  }
  const lines = [
    ...gone.map((item) => prorate(tables, item, period, at, 'credit')),
    ...differs.map((item) => prorate(tables, item, period, at, 'charge')),
  ];
  return proration === 'always_invoice'
    ? { fields, invoice_now: lines, later: [] }
    : { fields, invoice_now: null, later: lines };
}

/** Returns the credits for all items when the period ends early. */
export function creditsOf(tables: Tables, subscription: Subscription, at: number): Charging[] {
  const period = currentPeriod(subscription);
  return subscription.items.data
    .map((item) => prorate(tables, item, period, at, 'credit'))
    .filter((line) => line.amount !== 0);
}

/** Credits or charges what is left of the period, in proportion to the seconds. */
function prorate(
  tables: Tables,
  item: SubscriptionItem,
  period: Period,
  at: number,
  kind: 'credit' | 'charge',
): Charging {
  const { price, quantity = 1 } = item;
  const length = period.end - period.start;
  const share = length <= 0 ? 0 : Math.min(1, Math.max(0, (period.end - at) / length));
  const amount = Math.round((price.unit_amount ?? 0) * quantity * share);
  const name = `${productName(tables, price)} (at ${priceText(price)})`;
  return {
    item,
    period: { start: at, end: period.end },
    amount: kind === 'credit' ? -amount : amount,
    description: `${kind === 'credit' ? 'Unused' : 'Remaining'} time on ${name} after ${date(at, 'short')}`,
    proration: true,
    invoice_item: null,
  };
}

function sameTerms(subscription: Subscription, item: SubscriptionItem): boolean {
  const old = subscription.items.data.find((each) => each.id === item.id);
  return old?.price.id === item.price.id && old.quantity === item.quantity;
}

/** As at Stripe, a change without an item's id adds a further item. */
function changeItems(
  at: number,
  subscription: Subscription,
  changes: readonly ItemChange[],
): SubscriptionItem[] {
  const items = [...subscription.items.data];
  for (const change of changes) {
    const place = items.findIndex((item) => item.id === change.id);
    if (change.id !== undefined && place < 0) {
      throw refused(`No such subscription item: '${change.id}'`, {
        code: 'resource_missing',
        param: 'items[0][id]',
      });
    }
    if (change.id === undefined) items.push(addedItem(at, subscription, change));
    else if (change.deleted) items.splice(place, 1);
    else items[place] = changedItem(at, items[place]!, change);
  }
  return items;
}

function addedItem(at: number, subscription: Subscription, change: ItemChange): SubscriptionItem {
  const { price, quantity = 1, metadata = {} } = change;
  if (!price) throw refused('An added item needs a price.', { param: 'items[0][price]' });
  if (subscription.items.data.some((item) => item.price.id === price.id)) {
    throw refused(
      `Cannot add multiple subscription items with the same price: ${price.id}. Pass the item's \`id\` to change it.`,
      { param: 'items' },
    );
  }
  const period = currentPeriod(subscription);
  return buildItem(at, subscription.id, { price, quantity, metadata }, period);
}

function changedItem(at: number, item: SubscriptionItem, change: ItemChange): SubscriptionItem {
  const priced = change.price
    ? buildItem(
        at,
        item.subscription,
        { price: change.price, quantity: item.quantity ?? 1 },
        { start: item.current_period_start, end: item.current_period_end },
      )
    : item;
  return {
    ...priced,
    id: item.id,
    created: item.created,
    metadata: { ...item.metadata, ...change.metadata },
    quantity: change.quantity ?? item.quantity ?? 1,
  };
}

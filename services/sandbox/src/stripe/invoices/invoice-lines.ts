import { date, money } from '../pages/page.ts';
import { newId } from '../state/ids.ts';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { itemOf, type Period } from '../subscriptions/subscriptions.ts';
import { type Applied, reduction } from './discounts.ts';

/** An amount that an invoice charges or credits. */
export interface Charging {
  /** Without ids for a one-time purchase. */
  item: Pick<SubscriptionItem, 'price'> & Partial<Pick<SubscriptionItem, 'id' | 'subscription'>>;
  period: Period;
  amount: number;
  description: string;
  proration: boolean;
}

/** Charges the period of a subscription item. */
export function periodCharging(tables: Tables, item: SubscriptionItem): Charging {
  const { current_period_start: start, current_period_end: end, price } = item;
  return {
    item,
    period: { start, end },
    amount: price.unit_amount ?? 0,
    description: `1 × ${productName(tables, price)} (at ${priceText(price)})`,
    proration: false,
  };
}

/** Lists the free trial of a subscription item. */
export function trialCharging(tables: Tables, item: SubscriptionItem): Charging {
  return {
    ...periodCharging(tables, item),
    amount: 0,
    description: `Trial period for ${productName(tables, item.price)}`,
  };
}

/**
 * Credits what is left of the period, in proportion to the seconds. As in Stripe's flexible billing mode, it credits
 * what was billed, after discounts.
 */
export function unusedTime(tables: Tables, subscription: Subscription, at: number): Charging {
  const item = itemOf(subscription);
  const { current_period_start: start, current_period_end: end, price } = item;
  const share = Math.min(1, Math.max(0, (end - at) / (end - start)));
  const name = `${productName(tables, price)} (at ${priceText(price)})`;
  return {
    item,
    period: { start: at, end },
    amount: -Math.round(billedFor(tables, item) * share),
    description: `Unused time on ${name} after ${date(at, 'short')}`,
    proration: true,
  };
}

/** Returns what the item's period was billed at, after discounts. */
function billedFor(tables: Tables, item: SubscriptionItem): number {
  const line = tables.invoices
    .by('subscription', item.subscription)
    .flatMap((invoice) => invoice.lines.data)
    .findLast(
      ({ period, amount, parent }) =>
        period.start === item.current_period_start &&
        amount > 0 &&
        parent?.subscription_item_details?.subscription_item === item.id,
    );
  const off = (line?.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return (line?.amount ?? item.price.unit_amount ?? 0) - off;
}

/** Formats a price, such as "$4.99 / month". */
export function priceText({ unit_amount, currency, recurring }: Price): string {
  const { interval, interval_count: count } = recurring!;
  const period = count === 1 ? interval : `every ${count} ${interval}s`;
  return `${money(unit_amount ?? 0, currency)} / ${period}`;
}

export function productName(tables: Tables, price: Price): string {
  return tables.products.find(price.product)?.name ?? price.product;
}

/** Returns the lines as an invoice shows them. */
export function invoiceLines(
  invoice: string,
  charging: readonly Charging[],
  discounts: readonly Applied[],
): InvoiceLine[] {
  return charging.map(({ item, amount, ...each }) => ({
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: item.price.currency,
    description: each.description,
    discount_amounts: each.proration
      ? []
      : discounts.map(({ discount, coupon }) => ({
          amount: reduction(coupon, amount),
          discount: discount.id,
        })),
    discountable: !each.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent:
      item.id === undefined || item.subscription === undefined
        ? null
        : {
            type: 'subscription_item_details',
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: each.proration,
              proration_details: each.proration ? { credited_items: null } : null,
              subscription: item.subscription,
              subscription_item: item.id,
            },
          },
    period: each.period,
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: item.price.id, product: item.price.product },
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: '1',
    subscription: item.subscription ?? null,
    subtotal: amount,
    taxes: [],
  }));
}

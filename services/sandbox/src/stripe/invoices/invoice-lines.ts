import { newId } from '../state/ids.ts';
import {
  type InvoiceItem,
  type InvoiceLine,
  nulls,
  type Price,
  type SubscriptionItem,
} from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';

export interface Period {
  start: number;
  end: number;
}

/** An amount that an invoice charges or credits. */
export interface Charging {
  item: Pick<SubscriptionItem, 'id' | 'subscription' | 'price' | 'quantity'>;
  period: Period;
  amount: number;
  description: string;
  proration: boolean;
  invoice_item: string | null;
}

/** Charges a full period of a subscription item. */
export function periodCharging(tables: Tables, item: SubscriptionItem, period: Period): Charging {
  const quantity = item.quantity ?? 1;
  const { price } = item;
  return {
    item,
    period,
    amount: (price.unit_amount ?? 0) * quantity,
    description: `${quantity} × ${productName(tables, price)} (at ${priceText(price)})`,
    proration: false,
    invoice_item: null,
  };
}

/** Lists the free trial of a subscription item. */
export function trialCharging(tables: Tables, item: SubscriptionItem, period: Period): Charging {
  return {
    ...periodCharging(tables, item, period),
    amount: 0,
    description: `Trial period for ${productName(tables, item.price)}`,
  };
}

/** Formats a price, such as "$4.99 / month". */
export function priceText(price: Price): string {
  const { interval, interval_count } = price.recurring ?? { interval: 'once', interval_count: 1 };
  const every = interval_count === 1 ? interval : `every ${interval_count} ${interval}s`;
  return `$${((price.unit_amount ?? 0) / 100).toFixed(2)} / ${every}`;
}

export function productName(tables: Tables, price: Price): string {
  return tables.products.find(price.product)?.name ?? price.product;
}

/** Returns the lines as an invoice shows them. */
export function invoiceLines(invoice: string, charging: readonly Charging[]): InvoiceLine[] {
  return charging.map(({ item, amount, ...each }) => ({
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: item.price.currency,
    description: each.description,
    discount_amounts: [],
    discountable: !each.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: each.invoice_item,
        proration: each.proration,
        proration_details: each.proration ? { credited_items: null } : null,
        subscription: item.subscription,
        subscription_item: item.id,
      },
    },
    period: each.period,
    pretax_credit_amounts: [],
    pricing: pricingOf(item.price),
    quantity: item.quantity ?? 1,
    quantity_decimal: String(item.quantity ?? 1),
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  }));
}

function pricingOf({ id, product, unit_amount_decimal }: Price) {
  const price_details = { price: id, product };
  return { type: 'price_details' as const, price_details, unit_amount_decimal };
}

/** Returns a line that waits for the customer's next invoice. */
export function pendingItem(customer: string, at: number, charging: Charging): InvoiceItem {
  const { item, amount, period, proration, description } = charging;
  const { price, quantity = 1 } = item;
  return {
    ...nulls('customer_account invoice test_clock'),
    ...{ amount, customer, period, proration, description, quantity },
    id: newId('ii'),
    object: 'invoiceitem',
    currency: price.currency,
    date: at,
    discountable: false,
    discounts: [],
    livemode: false,
    metadata: {},
    net_amount: amount,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: item.subscription, subscription_item: item.id },
    },
    pricing: pricingOf(price),
    quantity_decimal: String(quantity),
    tax_rates: [],
  };
}

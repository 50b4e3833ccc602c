import { newId } from '../api/ids.ts';
import type { InvoiceItem, InvoiceLine, Price, SubscriptionItem } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';

export interface Period {
  start: number;
  end: number;
}

/** One thing that an invoice asks money for, or gives back. */
export interface Charging {
  item: Pick<SubscriptionItem, 'id' | 'subscription' | 'price' | 'quantity'>;
  period: Period;
  amount: number;
  description: string;
  proration: boolean;
  invoice_item: string | null;
}

/** A full period of a subscription item. */
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

/** The trial of a subscription item, which costs nothing. */
export function trialCharging(tables: Tables, item: SubscriptionItem, period: Period): Charging {
  return {
    ...periodCharging(tables, item, period),
    amount: 0,
    description: `Trial period for ${productName(tables, item.price)}`,
  };
}

/** What the customer sees of a price, such as "$4.99 / month". */
export function priceText(price: Price): string {
  const { interval, interval_count } = price.recurring ?? { interval: 'once', interval_count: 1 };
  const every = interval_count === 1 ? interval : `every ${interval_count} ${interval}s`;
  return `$${((price.unit_amount ?? 0) / 100).toFixed(2)} / ${every}`;
}

/** The name of what a price is for. */
export function productName(tables: Tables, price: Price): string {
  return tables.products.find(price.product)?.name ?? price.product;
}

/** Lines as an invoice shows them. */
export function invoiceLines(invoice: string, charging: readonly Charging[]): InvoiceLine[] {
  return charging.map((each) => ({
    id: newId('il'),
    object: 'line_item',
    amount: each.amount,
    currency: each.item.price.currency,
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
        subscription: each.item.subscription,
        subscription_item: each.item.id,
      },
    },
    period: each.period,
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: each.item.price.id, product: each.item.price.product },
      unit_amount_decimal: each.item.price.unit_amount_decimal,
    },
    quantity: each.item.quantity ?? 1,
    quantity_decimal: String(each.item.quantity ?? 1),
    subscription: each.item.subscription,
    subtotal: each.amount,
    taxes: [],
  }));
}

/** A line that waits for the customer's next invoice. */
export function pendingItem(customer: string, at: number, charging: Charging): InvoiceItem {
  const { price, quantity = 1 } = charging.item;
  return {
    id: newId('ii'),
    object: 'invoiceitem',
    amount: charging.amount,
    currency: price.currency,
    customer,
    customer_account: null,
    date: at,
    description: charging.description,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    net_amount: charging.amount,
    parent: {
      type: 'subscription_details',
      subscription_details: {
        subscription: charging.item.subscription,
        subscription_item: charging.item.id,
      },
    },
    period: charging.period,
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: price.product },
      unit_amount_decimal: price.unit_amount_decimal,
    },
    proration: charging.proration,
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: [],
    test_clock: null,
  };
}

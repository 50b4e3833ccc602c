import { type Charging, type Period, priceText, productName } from '../invoices/invoice-lines.ts';
import type { Price, SubscriptionItem } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';

/** What is left of an amount at an instant within its period, in proportion to the seconds. */
export function remainingAmount(amount: number, period: Period, at: number): number {
  const length = period.end - period.start;
  if (length <= 0) return 0;
  const share = Math.min(1, Math.max(0, (period.end - at) / length));
  return Math.round(amount * share);
}

/** Gives back what an item was paid for and will not be used. */
export function creditForUnused(
  tables: Tables,
  item: SubscriptionItem,
  period: Period,
  at: number,
): Charging {
  const quantity = item.quantity ?? 1;
  return {
    item,
    period: { start: at, end: period.end },
    amount: -remainingAmount((item.price.unit_amount ?? 0) * quantity, period, at),
    description: `Unused time on ${naming(tables, item.price)} after ${day(at)}`,
    proration: true,
    invoice_item: null,
  };
}

/** Asks for the rest of the period at another price. */
export function chargeForRemaining(
  tables: Tables,
  item: SubscriptionItem,
  period: Period,
  at: number,
): Charging {
  const quantity = item.quantity ?? 1;
  return {
    item,
    period: { start: at, end: period.end },
    amount: remainingAmount((item.price.unit_amount ?? 0) * quantity, period, at),
    description: `Remaining time on ${naming(tables, item.price)} after ${day(at)}`,
    proration: true,
    invoice_item: null,
  };
}

function naming(tables: Tables, price: Price): string {
  return `${productName(tables, price)} (at ${priceText(price)})`;
}

function day(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

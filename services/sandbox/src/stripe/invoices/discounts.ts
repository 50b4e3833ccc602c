import { redeem } from '../catalogue/coupons.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Coupon, type Discount, nulls, type Subscription } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';

/** Starts the discount of a coupon on a subscription. */
export function startDiscount(
  act: Act,
  target: { customer: string; subscription: string },
  promotion: { coupon: string; code: string | null },
): Discount {
  redeem(act, promotion);
  const { duration, duration_in_months: months } = act.tables.coupons.get(promotion.coupon);
  const discount: Discount = {
    ...nulls('checkout_session customer_account invoice invoice_item subscription_item'),
    ...target,
    id: newId('di'),
    object: 'discount',
    end: duration === 'repeating' ? monthsAfter(act.at, months!) : null,
    promotion_code: promotion.code,
    source: { type: 'coupon', coupon: promotion.coupon },
    start: act.at,
  };
  act.tables.discounts.save(discount);
  act.emit('customer.discount.created', discount);
  return discount;
}

function monthsAfter(at: number, months: number): number {
  const start = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO('UTC');
  return Math.floor(start.add({ months }).epochMilliseconds / 1000);
}

/** A discount that applies to an invoice, with its coupon. */
export interface Applied {
  discount: Discount;
  coupon: Coupon;
}

/** Returns the discounts that apply to an invoice created at that instant. */
export function appliedDiscounts(
  tables: Tables,
  { discounts }: Subscription,
  at: number,
): Applied[] {
  return discounts
    .map((id) => tables.discounts.get(id))
    .filter(({ end }) => end === null || end > at)
    .map((discount) => ({ discount, coupon: tables.coupons.get(discount.source.coupon!) }));
}

/** Returns what a coupon takes off an amount. */
export const reduction = ({ percent_off, amount_off }: Coupon, amount: number): number =>
  percent_off === null
    ? Math.min(amount_off ?? 0, amount)
    : Math.round((amount * percent_off) / 100);

/** Returns the discounts that stay after an invoice: a one-time coupon is used up, and an expired one ends. */
export function discountsAfter(act: Act, { discounts }: Subscription): string[] {
  return discounts.filter((id) => {
    const discount = act.tables.discounts.get(id);
    const { duration } = act.tables.coupons.get(discount.source.coupon!);
    const stays = duration !== 'once' && (discount.end === null || discount.end > act.at);
    if (!stays) act.emit('customer.discount.deleted', discount);
    return stays;
  });
}

/** A plan's periods and bills, for the oracle: shares no code with billing or the sandbox. Times are Unix seconds. */

import { type Currency, type Discount, type Plan, prices, reductionOf } from './amounts.ts';
import { leftOf, type Payment } from './payments.ts';

export interface Charge extends Payment {
  /** The subscription that it paid. */
  of: Subscription;
}

export interface Bill {
  /** Of the period, after a discount and without tax. */
  price: number;
  /** The price less what earlier unused time was worth, with tax. */
  total: number;
  due: number;
  finalizesAt: number;
  retryAt: number | null;
  retries: number;
  isVoid: boolean;
  charge: Charge | null;
}

export interface Subscription {
  plan: Plan;
  currency: Currency;
  discount: Discount | null;
  discountEnds: number;
  status: 'trialing' | 'active' | 'past_due' | 'canceled';
  start: number;
  end: number;
  /** Counts renewals in whole intervals from here. */
  anchor: number;
  /** Free days on a paid plan, which the provider treats as a trial. */
  isFree: boolean;
  endsWithPeriod: boolean;
  isPaused: boolean;
  /** The bill of the current period. */
  latest: Bill | null;
  draft: Bill | null;
  open: Bill[];
}

export const newSubscription = (
  plan: Plan,
  currency: Currency,
  start: number,
  end: number,
): Subscription => ({
  plan,
  currency,
  discount: null,
  discountEnds: Number.POSITIVE_INFINITY,
  status: 'active',
  start,
  end,
  anchor: start,
  isFree: false,
  endsWithPeriod: false,
  isPaused: false,
  latest: null,
  draft: null,
  open: [],
});

export const newBill = (price: number, total: number, finalizesAt: number): Bill => ({
  ...{ price, total, due: 0, finalizesAt, retryAt: null, retries: 0 },
  ...{ isVoid: false, charge: null },
});

/** Money that has been refunded doesn't pay for unused time. */
export const isReturned = ({ charge }: Bill): boolean => charge !== null && leftOf(charge) <= 0;

export function end(sub: Subscription): void {
  sub.status = 'canceled';
  sub.endsWithPeriod = false;
  sub.draft = null;
  sub.open = [];
}

export function postpone(sub: Subscription, until: number): void {
  if (sub.status !== 'trialing') sub.isFree = true;
  sub.status = 'trialing';
  // The provider stores seconds.
  sub.end = Math.floor(until);
  sub.anchor = sub.end;
}

/** Returns what a period that is billed at that instant costs, after a discount. */
export function priceOf(
  { currency, discount, discountEnds }: Subscription,
  plan: Plan,
  at: number,
) {
  const full = prices[currency][plan];
  return discount === null || discountEnds <= at ? full : full - reductionOf(discount, full);
}

/** A discount of the first payment is used up by it. */
export function useDiscount(sub: Subscription): void {
  if (sub.discount?.months === 1) sub.discount = null;
}

export const otherPlan = (plan: Plan): Plan => (plan === 'monthly' ? 'yearly' : 'monthly');

/** Returns the first end of a whole number of months or years from the anchor that is after an instant. */
export function nextBoundary({ plan, anchor }: Subscription, after: number): number {
  for (let count = 1; ; count += 1) {
    const at = monthsAfter(anchor, plan === 'monthly' ? count : 12 * count);
    if (at > after) return at;
  }
}

export function monthsAfter(start: number, count: number): number {
  const from = new Date(Math.round(start * 1000));
  const months = from.getUTCMonth() + count;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const at = new Date(from);
  at.setUTCDate(1);
  at.setUTCMonth(months);
  at.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return at.getTime() / 1000;
}

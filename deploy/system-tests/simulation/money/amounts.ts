/** What things cost, for the oracle: shares no code with billing or the sandbox. Amounts are cents. */

export type Plan = 'monthly' | 'yearly';
export type Currency = 'usd' | 'gbp';

export const prices: Record<Currency, Record<Plan, number>> = {
  usd: { monthly: 499, yearly: 4999 },
  gbp: { monthly: 449, yearly: 4499 },
};
const smallestCharge: Record<Currency, number> = { usd: 50, gbp: 30 };

/** What a promotion code takes off: of the first payment only, for a number of months, or always (null). */
export interface Discount {
  percent?: number;
  cents?: number;
  months: number | null;
}

/** Returns what a discount takes off a full price. */
export function reductionOf({ percent = 0, cents = 0 }: Discount, full: number): number {
  return Math.min(full, Math.round((full * percent) / 100) + cents);
}

export const withTax = (amount: number, percent: number): number =>
  amount + Math.round((amount * percent) / 100);

/** A gift's buyer has the recipient's place. */
export const giftPrice = (
  { currency, taxRate }: { currency: Currency; taxRate: number },
  months: number,
): number => withTax(months * prices[currency].monthly, taxRate);

/** Pays a bill from a balance, where a negative one is credit. */
export function spend(
  total: number,
  balance: number,
  currency: Currency,
): { due: number; balance: number } {
  if (total === 0) return { due: 0, balance };
  const left = total + balance;
  if (total < 0 || left < smallestCharge[currency]) return { due: 0, balance: left };
  return { due: left, balance: 0 };
}

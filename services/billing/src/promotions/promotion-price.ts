import { type PlanId, periodsOf, perPeriod, planTerms } from '@daylift/contracts/plans';
import type { Plan } from '../catalogue/catalogue.ts';
import { money } from '../notices/words.ts';
import type { Promotion } from './promotions.repository.ts';

type Terms = Pick<Promotion, 'kind' | 'value' | 'months'>;

/** Returns what one discounted payment costs less. Rounds as the provider does. */
export function discountOf({ kind, value }: Terms, priceCents: number): number {
  switch (kind) {
    case 'percent':
      return Math.round((priceCents * value) / 100);
    case 'amount':
      return Math.min(value, priceCents);
    case 'free_days':
      return 0;
  }
}

/** Returns how many payments of a plan are discounted; null for every payment. */
export function discountedPayments({ kind, months }: Terms, plan: PlanId): number | null {
  if (kind === 'free_days') return 0;
  if (months === null) return null;
  return Math.ceil(months / planTerms[plan].months);
}

/** Returns how many payments of a plan are free; null for every payment. */
export function freePayments(
  terms: Terms,
  { id, price_cents }: Pick<Plan, 'id' | 'price_cents'>,
): number | null {
  return discountOf(terms, price_cents) < price_cents ? 0 : discountedPayments(terms, id);
}

/** Describes a price with a promotion, such as "$2.49 for the first month, then $4.99 a month". */
export function priceWords(
  terms: Terms,
  { id, price_cents }: Pick<Plan, 'id' | 'price_cents'>,
  currency: string,
): string {
  const payments = discountedPayments(terms, id);
  const regular = `${money(price_cents, currency)} ${perPeriod(id)}`;
  if (payments === 0) return regular;
  const cents = price_cents - discountOf(terms, price_cents);
  const price = cents === 0 ? 'free' : money(cents, currency);
  const each = cents === 0 ? price : `${price} ${perPeriod(id)}`;
  if (payments === null) return each;
  if (payments === 1) return `${price} for the first ${periodsOf(id)}, then ${regular}`;
  return `${each} for ${periodsOf(id, payments)}, then ${regular}`;
}

/** Describes a promotion for admins and receipts, such as "50% off the first payment". */
export function promotionWords({
  kind,
  value,
  months,
  currency,
}: Terms & Pick<Promotion, 'currency'>): string {
  if (kind === 'free_days') return `${value} more free ${value === 1 ? 'day' : 'days'}`;
  const off = kind === 'percent' ? `${value}% off` : `${money(value, currency)} off`;
  if (months === null) return `${off} every payment`;
  return months === 1 ? `${off} the first payment` : `${off} for ${months} months`;
}

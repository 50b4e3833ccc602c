import type { Frequency, PlanId } from '@daylift/contracts/fields';

export interface PaidPeriod {
  plan: PlanId;
  price_cents: number;
  end: Date;
}

/**
 * Returns what one text of a paid period is worth: its price divided by its days, or weeks for weekly subscribers,
 * rounded up to the cent.
 */
export function dayCents({ plan, price_cents, end }: PaidPeriod, frequency: Frequency): number {
  const last = Temporal.PlainDate.from(end.toISOString().slice(0, 10));
  const first = last.subtract(plan === 'yearly' ? { years: 1 } : { months: 1 });
  const { days } = first.until(last);
  return Math.ceil((price_cents * (frequency === 'weekly' ? 7 : 1)) / days);
}

import type { Frequency } from '@daylift/contracts/fields';
import { type PlanId, planTerms } from '@daylift/contracts/plans';

export interface PaidPeriod {
  price_cents: number;
  start: Date;
  end: Date;
}

const utcDate = (instant: Date) => Temporal.PlainDate.from(instant.toISOString().slice(0, 10));

/**
 * Returns what one text of a paid period is worth: its price divided by its days, or weeks for weekly subscribers,
 * rounded up to the cent.
 */
export function dayCents({ price_cents, start, end }: PaidPeriod, frequency: Frequency): number {
  const { days } = utcDate(start).until(utcDate(end));
  return Math.ceil((price_cents * (frequency === 'weekly' ? 7 : 1)) / days);
}

/** Estimates the start of a period that was stored without it. At the end of a month it may be days early. */
export function startOf(plan: PlanId, end: Date): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(end.getTime())
    .toZonedDateTimeISO('UTC')
    .subtract({ months: planTerms[plan].months });
  return new Date(start.epochMilliseconds);
}

import type { Frequency } from '@daylift/contracts/fields';
import { dateExists } from './send-windows.ts';

export interface Cadence {
  frequency: Frequency;
  /** ISO weekday of a weekly subscriber, Monday is 1; null: the weekday of the first text. */
  weekday: number | null;
  /** Local date of the first text: the day after the entitlement started, for every frequency. */
  first_local_date: string;
  timezone: string;
}

/** Returns the first local date on or after `from` with a text. A date that the zone skips has none. */
export function nextLocalDate(cadence: Cadence, from: string): string {
  const first = Temporal.PlainDate.from(cadence.first_local_date);
  let date = Temporal.PlainDate.from(from);
  if (Temporal.PlainDate.compare(date, first) <= 0) {
    if (dateExists(first.toString(), cadence.timezone)) return first.toString();
    date = first.add({ days: 1 });
  }
  if (cadence.frequency === 'weekly') {
    const weekday = cadence.weekday ?? first.dayOfWeek;
    date = date.add({ days: (weekday - date.dayOfWeek + 7) % 7 });
  }
  if (dateExists(date.toString(), cadence.timezone)) return date.toString();
  return nextLocalDate(cadence, date.add({ days: 1 }).toString());
}

export function dayAfter(localDate: string): string {
  return Temporal.PlainDate.from(localDate).add({ days: 1 }).toString();
}

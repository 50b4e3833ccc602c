import type { BusinessQuery } from '@daylift/contracts/business.http';
import { InvalidRange } from '../errors.ts';

const maxDays = 366;
const defaultDays = 30;
/** Leaves room for the days around a range, which must be valid dates in the database too. */
const years = { first: 2000, last: 9998 };

export interface DayRange {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/** Returns the requested range. It ends today by default. */
export function readRange(
  { from, to }: BusinessQuery,
  { now, timeZone }: { now: Date; timeZone: string },
): DayRange {
  const last = to === undefined ? todayIn(timeZone, now) : Temporal.PlainDate.from(to);
  const first =
    from === undefined ? last.subtract({ days: defaultDays - 1 }) : Temporal.PlainDate.from(from);
  const days = daysOf({ from: first, to: last });
  const isSound = first.year >= years.first && last.year <= years.last;
  if (days < 1 || days > maxDays || !isSound) throw new InvalidRange(maxDays);
  return { from: first, to: last };
}

export const todayIn = (timeZone: string, now: Date): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();

export const daysOf = ({ from, to }: DayRange): number => from.until(to).days + 1;

/** Returns the range of equal length just before. */
export const rangeBefore = (range: DayRange): DayRange => ({
  from: range.from.subtract({ days: daysOf(range) }),
  to: range.from.subtract({ days: 1 }),
});

export const startOf = (date: Temporal.PlainDate, timeZone: string): Date =>
  new Date(date.toZonedDateTime(timeZone).epochMilliseconds);

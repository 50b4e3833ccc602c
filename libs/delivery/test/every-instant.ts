import { dayMs } from '@daylift/clock/durations';
import { sendInstant } from '../src/send-instant.ts';
import { firstShowings, readWallClock, type WallClock } from './wall-clock.ts';

export const firstDate = Date.UTC(2026, 0, 1);
export const days = 730;
export const zones = Intl.supportedValuesOf('timeZone');
export const dates = Array.from({ length: days }, (_, day) =>
  new Date(firstDate + day * dayMs).toISOString().slice(0, 10),
);

const from = firstDate - 2 * dayMs;
const to = firstDate + (days + 2) * dayMs;

/**
 * Returns the wrong send instants of 2026 and 2027 in all zones. Of zones with the same offsets, the first is checked for
 * every date and hour, the others around each offset change and on every 19th date.
 */
export function wrongInstants(): string[] {
  const seen = new Set<string>();
  return zones.flatMap((zone) => {
    const clock = readWallClock(zone, from, to);
    const table = JSON.stringify(clock.changes);
    const known = JSON.stringify(temporalChanges(zone));
    if (known !== table) return [`${zone}: Temporal has ${known}, the clock shows ${table}`];
    const isNew = !seen.has(table);
    seen.add(table);
    return wrongInstantsOf(zone, clock, (day) => isNew || day % 19 === 0 || isNear(clock, day));
  });
}

function temporalChanges(zone: string): WallClock['changes'] {
  const changes = [];
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  for (
    let at: Temporal.ZonedDateTime | null = start;
    at !== null && at.epochMilliseconds < to;
    at = at.getTimeZoneTransition('next')
  )
    changes.push({ at: at.epochMilliseconds, offset: at.offsetNanoseconds / 1e6 });
  return changes;
}

const isNear = ({ changes }: WallClock, day: number): boolean =>
  changes.some(({ at }) => Math.abs(at - (firstDate + day * dayMs)) <= 2 * dayMs);

function wrongInstantsOf(
  zone: string,
  clock: WallClock,
  isIncluded: (day: number) => boolean,
): string[] {
  const wrong: string[] = [];
  const expected = firstShowings(clock, firstDate, days);
  for (const [day, date] of dates.entries()) {
    if (!isIncluded(day)) continue;
    for (let hour = 0; hour < 24; hour += 1) {
      const instant = sendInstant(date, hour, zone);
      if (instant.getTime() !== expected[day * 24 + hour])
        wrong.push(`${zone} ${date} ${hour}: ${instant.toISOString()}`);
    }
  }
  return wrong;
}

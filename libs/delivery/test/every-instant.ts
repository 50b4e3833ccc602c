import { dayMs } from '@daylift/clock/durations';
import { sendInstant } from '../src/send-instant.ts';
import { firstShowings, readWallClock } from './wall-clock.ts';

export const firstDate = Date.UTC(2026, 0, 1);
export const days = 730;
export const zones = Intl.supportedValuesOf('timeZone');
/** Every date of 2026 and 2027. */
export const dates = Array.from({ length: days }, (_, day) =>
  new Date(firstDate + day * dayMs).toISOString().slice(0, 10),
);

/**
 * Every send instant of 2026 and 2027 (each date, each hour) that is not what the wall clock shows, for one share of
 * all zones. The shares are files of their own so that they run on several cores.
 */
export function wrongInstants(share: number, shares: number): string[] {
  return zones
    .filter((_, index) => index % shares === share)
    .flatMap((zone) => wrongInstantsOf(zone));
}

function wrongInstantsOf(zone: string): string[] {
  const wrong: string[] = [];
  const clock = readWallClock(zone, firstDate - 2 * dayMs, firstDate + (days + 2) * dayMs);
  const expected = firstShowings(clock, firstDate, days);
  for (const [day, date] of dates.entries()) {
    for (let hour = 0; hour < 24; hour += 1) {
      const instant = sendInstant(date, hour, zone);
      if (instant.getTime() !== expected[day * 24 + hour])
        wrong.push(`${zone} ${date} ${hour}: ${instant.toISOString()}`);
    }
  }
  return wrong;
}

import { hourMs, minuteMs } from '@daylift/clock/durations';

/**
 * Local time in a zone, from Intl.DateTimeFormat alone: the oracle of these tests, independent of Temporal and of this
 * package.
 */
export interface WallClock {
  /** The offset at the start, then every change of it. */
  changes: { at: number; offset: number }[];
  /** What the clock shows at an instant (ms), as if it were UTC (ms). */
  at(instant: number): number;
}

const stepMs = 12 * hourMs;

/** Returns every change of the zone's offset between two instants, checking twice a day. */
export function readWallClock(timeZone: string, from: number, to: number): WallClock {
  const offsetAt = offsetReader(timeZone);
  const changes: WallClock['changes'] = [{ at: from, offset: offsetAt(from) }];
  for (let instant = from; instant < to; instant += stepMs) {
    const before = changes.at(-1)?.offset;
    const next = instant + stepMs;
    const offset = offsetAt(next);
    if (offset !== before) changes.push({ at: firstChange(offsetAt, instant, next), offset });
  }
  let current = 0;
  return {
    changes,
    at(instant) {
      if (instant < (changes[current]?.at ?? 0)) current = 0;
      while (instant >= (changes[current + 1]?.at ?? Number.POSITIVE_INFINITY)) current += 1;
      return instant + (changes[current]?.offset ?? 0);
    },
  };
}

function firstChange(offsetAt: (instant: number) => number, before: number, after: number): number {
  const old = offsetAt(before);
  let [low, high] = [before, after];
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / minuteMs / 2) * minuteMs;
    if (offsetAt(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

function offsetReader(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (instant) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (
      format.format(instant).match(/\d+/g) ?? []
    ).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute) - instant;
  };
}

/** Offsets and their changes are on quarter hours today. If one isn't, the tests fail. */
const tickMs = 15 * minuteMs;

/**
 * Returns, for each hour of `days` dates from `firstDate`, the first instant at which the clock shows that hour, or a
 * later one if it never does.
 */
export function firstShowings(clock: WallClock, firstDate: number, days: number): Float64Array {
  const hours = days * 24;
  const showings = new Float64Array(hours);
  let wanted = 0;
  for (let instant = firstDate - 26 * hourMs; wanted < hours; instant += tickMs) {
    const shown = clock.at(instant);
    while (wanted < hours && shown >= firstDate + wanted * hourMs) {
      showings[wanted] = instant;
      wanted += 1;
    }
  }
  return showings;
}

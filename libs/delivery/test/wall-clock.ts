import { hourMs, minuteMs } from '@daylift/clock/durations';

/**
 * What a clock on the wall of a zone shows, read from Intl.DateTimeFormat alone: the oracle of the tests here. It uses
 * neither Temporal nor anything of this package.
 */
export interface WallClock {
  /** The offset at the start, then every change of it. */
  changes: { at: number; offset: number }[];
  /** What the clock shows at an instant (ms), as if it were UTC (ms). */
  at(instant: number): number;
}

/** No zone changes twice within so short a time. */
const stepMs = 12 * hourMs;

/** Finds every change of the zone's offset between two instants by looking at the clock twice a day. */
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
      // Callers walk forward, so the search starts where it last ended.
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

/**
 * Zones keep to quarters of an hour in our time, in their offsets and in when they change; were it not so, the tests
 * would fail rather than pass.
 */
const tickMs = 15 * minuteMs;

/**
 * Walks the clock, quarter by quarter, through `days` dates from `firstDate` on, and gives for each hour of each date the
 * first instant at which the clock shows that hour or, where it never does, a later one.
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

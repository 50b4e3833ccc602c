const minuteMs = 60_000;

/** How long the next try has to wait after the n-th failure in a row (the first is at index 0). */
const waitsMs = [0, 0, 0, 0, 15_000, 30_000, minuteMs, 2 * minuteMs, 4 * minuteMs, 15 * minuteMs];
/** From here on somebody is guessing by machine: one try a day. */
const guessingFrom = 100;
const dayMs = 24 * 60 * minuteMs;

/** At most this many tries may fail in any 15 minutes, however many come at once. */
export const triesAtOnce = waitsMs.length;
/** After a day without a try the failures are forgotten. */
export const forgottenAfterMs = dayMs;
/** A try that was not answered by then has died with its process. */
export const longestTryMs = 30_000;

/** A limit of tries: how many at once, and how long the next one waits after so many failures. */
export interface TryLimit {
  atOnce: number;
  waitAfterMs(failures: number): number;
}

export function waitAfterMs(failures: number): number {
  if (failures >= guessingFrom) return dayMs;
  return waitsMs[Math.min(failures, waitsMs.length) - 1] ?? 0;
}

export const narrowLimit: TryLimit = { atOnce: triesAtOnce, waitAfterMs };

const wideFrom = 30;
/** Over all client addresses: wide enough that a stranger at one of them locks no one out, and still no way to guess. */
export const wideLimit: TryLimit = {
  atOnce: wideFrom,
  waitAfterMs: (failures) =>
    failures < wideFrom ? 0 : Math.max(15 * minuteMs, waitAfterMs(failures)),
};

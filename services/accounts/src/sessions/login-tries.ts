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

export function waitAfterMs(failures: number): number {
  if (failures >= guessingFrom) return dayMs;
  return waitsMs[Math.min(failures, waitsMs.length) - 1] ?? 0;
}

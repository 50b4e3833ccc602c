const minuteMs = 60_000;

/** Wait after the n-th consecutive failure (the first is at index 0). */
const waitsMs = [0, 0, 0, 0, 15_000, 30_000, minuteMs, 2 * minuteMs, 4 * minuteMs, 15 * minuteMs];
/** From here on it is a machine guessing: one try a day. */
const guessingFrom = 100;
const dayMs = 24 * 60 * minuteMs;

/** At most this many tries may fail in any 15 minutes, however many are concurrent. */
export const maxConcurrentTries = waitsMs.length;
/** Typos are forgotten after a day without a try. */
export const forgottenAfterMs = dayMs;
/** From the tenth failure on: a guesser who rests for a day must not start over. */
export const guessesForgottenAfterMs = 30 * dayMs;
/** A try unfinished by then has died with its process. */
export const maxTryMs = 30_000;

export interface TryLimit {
  maxConcurrent: number;
  waitAfterMs(failures: number): number;
}

export function waitAfterMs(failures: number): number {
  if (failures >= guessingFrom) return dayMs;
  return waitsMs[Math.min(failures, waitsMs.length) - 1] ?? 0;
}

export const narrowLimit: TryLimit = { maxConcurrent: maxConcurrentTries, waitAfterMs };

/** Over all client addresses: has no short waits, because the next try may be the owner's. */
export const wideLimit: TryLimit = {
  maxConcurrent: maxConcurrentTries,
  waitAfterMs: (failures) => (failures < maxConcurrentTries ? 0 : waitAfterMs(failures)),
};

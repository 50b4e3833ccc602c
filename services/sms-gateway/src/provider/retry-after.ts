import { hourMs } from '@daylift/clock/durations';

const longestWaitMs = 4 * hourMs;

/** Returns the wait that a `Retry-After` header demands, or null without a valid one. */
export function retryAfterOf(header: string | null | undefined): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, longestWaitMs) : null;
}

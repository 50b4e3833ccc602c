import { minuteMs } from '@daylift/clock/durations';

export type PauseEnd = 'probe' | 'max_delay' | 'midnight_utc';

const firstProbeMs = 30_000;
const maxProbeMs = 15 * minuteMs;

/** Returns when sending is tried again after a refusal: exponential backoff, or the end of the UTC day. */
export function nextProbeAt(until: PauseEnd, failedProbes: number, now: Date): Date {
  if (until === 'midnight_utc')
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
  if (until === 'max_delay') return new Date(now.getTime() + maxProbeMs);
  return new Date(now.getTime() + Math.min(maxProbeMs, firstProbeMs * 2 ** failedProbes));
}

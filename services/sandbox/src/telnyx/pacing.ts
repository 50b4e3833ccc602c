import type { Clock } from '@daylift/clock/clock';
import type { Faults } from '../faults.ts';
import { refusal } from './telnyx-errors.ts';

/** The longest wait in the provider's queue; a text that would wait longer is refused. */
const QUEUE_MAX_MS = 4 * 3_600_000;

/** The queue to the carriers: a text above the rate is accepted and leaves later. */
export function createSendQueue(clock: Clock, faults: Faults) {
  let nextFreeMs = 0;
  return {
    /** Takes the next free slot and returns its instant in the product's time. */
    takePlace(): number {
      const nowMs = clock.now().getTime();
      const atMs = Math.max(nowMs, nextFreeMs);
      if (atMs - nowMs > QUEUE_MAX_MS) throw refusal('40318', 'The message queue is full.');
      nextFreeMs = atMs + 1_000 / faults.current.telnyx.sends_per_second;
      return Math.round(atMs);
    },
    clear() {
      nextFreeMs = 0;
    },
  };
}
export type SendQueue = ReturnType<typeof createSendQueue>;

/** The limit of API calls in any second of the wall clock. */
export function createApiLimit(faults: Faults) {
  let times: number[] = [];
  return {
    clear() {
      times = [];
    },
    /** Counts one call and returns the rate-limit headers. */
    take(): { allowed: boolean; headers: Record<string, string> } {
      const limit = faults.current.telnyx.rate_limit_per_second;
      const nowMs = performance.now();
      while (times[0] !== undefined && nowMs - times[0] >= 1_000) times.shift();
      const allowed = times.length < limit;
      if (allowed) times.push(nowMs);
      const headers = {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - times.length)),
        'x-ratelimit-reset': '1',
      };
      return { allowed, headers };
    },
  };
}

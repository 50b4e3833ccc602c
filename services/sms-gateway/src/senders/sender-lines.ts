import { minuteMs } from '@daylift/clock/durations';
import type { RateLimit } from '../rate/rate-limiter.ts';

/** Texts that wait in this process for slots of their full sender. Its other texts go back to the queue. */
export interface SenderLines {
  /**
   * Adds texts to a sender's line, while it's short if `isBounded`. Returns the added ones, and in how many milliseconds
   * to try the others again. Texts that are in the line already are neither.
   */
  enter(
    number: string,
    limits: RateLimit[],
    ids: string[],
    isBounded: boolean,
  ): { added: Set<string>; later: { id: string; ms: number }[] };
  leave(number: string, ids: string[]): void;
}

/** How long a full line takes to send. Others come back when a quarter of it is sent, so it doesn't run dry meanwhile. */
const lineMs = 4_000;
const [fewest, most] = [2, 500];
/** Short enough that a change of a limit takes effect soon. */
const longestDelayMs = 5 * minuteMs;
/** Texts come back this much faster than they can be sent, so the line never runs dry. */
const overbooking = 1.25;

export function createSenderLines(): SenderLines {
  const lines = new Map<string, { ids: Set<string>; bookedUntil: number }>();
  return {
    enter(number, limits, ids, isBounded) {
      const line = lines.get(number) ?? { ids: new Set(), bookedUntil: 0 };
      lines.set(number, line);
      const perMs = Math.min(...limits.map((limit) => limit.count / limit.perMs));
      const fresh = ids.filter((id) => !line.ids.has(id));
      const longest = isBounded
        ? Math.min(most, Math.max(fewest, Math.round(lineMs * perMs)))
        : Infinity;
      const added = fresh.slice(0, Math.max(0, longest - line.ids.size));
      for (const id of added) line.ids.add(id);
      const now = performance.now();
      let next = Math.max(line.bookedUntil, now + line.ids.size / perMs / 4);
      const later = fresh.slice(added.length).map((id) => {
        next += 1 / (perMs * overbooking);
        return { id, ms: Math.min(next - now, longestDelayMs * (0.8 + 0.2 * Math.random())) };
      });
      line.bookedUntil = Math.min(next, now + longestDelayMs);
      return { added: new Set(added), later };
    },
    leave(number, ids) {
      for (const id of ids) lines.get(number)?.ids.delete(id);
    },
  };
}

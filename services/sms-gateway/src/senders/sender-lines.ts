import { minuteMs } from '@daylift/clock/durations';
import type { RateLimit } from '../rate/rate-limiter.ts';

/** In-process lines of texts, one per sender at its limit. Texts that don't fit return to the queue. */
export interface SenderLines {
  /**
   * Adds texts to a sender's line, up to its maximum length if `isBounded`. Returns the added ids and, for those that
   * didn't fit, the delay before the next try. Skips ids that are in the line already.
   */
  enter(
    number: string,
    limits: RateLimit[],
    ids: string[],
    isBounded: boolean,
  ): { added: Set<string>; later: { id: string; ms: number }[] };
  leave(number: string, ids: string[]): void;
  /** How long the queue leaves texts in a line alone after each renewal. A crashed worker's texts wait this long. */
  holdMs: number;
}

/** How long a full line takes to send. */
const lineMs = 4_000;
const [minTexts, maxTexts] = [2, 500];
/** Short enough that a change of a limit takes effect soon. */
const maxDelayMs = 5 * minuteMs;
/** Texts return this much faster than they're sent, so the line never runs dry. */
const overbooking = 1.25;

export function createSenderLines(holdMs = 20_000): SenderLines {
  const lines = new Map<string, { ids: Set<string>; bookedUntil: number }>();
  return {
    enter(number, limits, ids, isBounded) {
      const line = lines.get(number) ?? { ids: new Set(), bookedUntil: 0 };
      lines.set(number, line);
      const perMs = Math.min(...limits.map((limit) => limit.count / limit.perMs));
      const fresh = ids.filter((id) => !line.ids.has(id));
      const longest = isBounded
        ? Math.min(maxTexts, Math.max(minTexts, Math.round(lineMs * perMs)))
        : Infinity;
      const added = fresh.slice(0, Math.max(0, longest - line.ids.size));
      for (const id of added) line.ids.add(id);
      const now = performance.now();
      let next = Math.max(line.bookedUntil, now + line.ids.size / perMs / 4);
      const later = fresh.slice(added.length).map((id) => {
        next += 1 / (perMs * overbooking);
        return { id, ms: Math.min(next - now, maxDelayMs * (0.8 + 0.2 * Math.random())) };
      });
      line.bookedUntil = Math.min(next, now + maxDelayMs);
      return { added: new Set(added), later };
    },
    leave(number, ids) {
      const line = lines.get(number);
      for (const id of ids) line?.ids.delete(id);
      // Also forgets how far it was booked: a line runs empty only if texts that were to return no longer need it.
      if (line?.ids.size === 0) lines.delete(number);
    },
    holdMs,
  };
}

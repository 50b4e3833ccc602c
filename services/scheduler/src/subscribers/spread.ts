import { hourMs, minuteMs } from '@daylift/clock/durations';

/** Returns the time over which the texts of a slot are spread. */
export type Spread = (slot: Date) => number;

/** Waiting this long isn't noticed, so so few texts are all due at once. */
const leastMs = 10_000;
/** The senders are never idle until then, so spreading further would only waste time before the windows close. */
const mostMs = 30 * minuteMs;

/** Spreads each hour of the day by the time that the forecast says its texts take, and by at least `minimumMs`. */
export function createSpread(minimumMs: number) {
  let byHour = new Map<number, number>();
  const spread: Spread = (slot) => Math.max(minimumMs, byHour.get(hourOfDay(slot)) ?? 0);
  return {
    spread,
    learnSpread(hours: { starts_at: Date; drain_seconds: number }[]): void {
      byHour = new Map();
      for (const { starts_at, drain_seconds } of hours) {
        const hour = hourOfDay(starts_at);
        const neededMs = drain_seconds * 1_000 < leastMs ? 0 : drain_seconds * 1_000;
        byHour.set(hour, Math.min(mostMs, Math.max(neededMs, byHour.get(hour) ?? 0)));
      }
    },
  };
}

const hourOfDay = (instant: Date): number => Math.floor(instant.getTime() / hourMs) % 24;

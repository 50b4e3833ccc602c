import type { SchedulerLoad } from '@daylift/contracts/load.http';
import type { SchedulerDeps } from '../deps.ts';
import { countDueByHour, type HourCount } from './load.repository.ts';

const hourMs = 60 * 60 * 1000;
const longest = 24;
/** Wall clock: many who look at the same chart ask the database once. */
const keptMs = 5_000;

interface Kept {
  from: number;
  readAt: number;
  counts: Promise<HourCount[]>;
}

export function createLoadReader({ db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>) {
  let kept: Kept | null = null;

  function countsFrom(from: number): Promise<HourCount[]> {
    if (kept !== null && kept.from === from && Date.now() - kept.readAt < keptMs)
      return kept.counts;
    const counts = countDueByHour(db, new Date(from), new Date(from + longest * hourMs));
    kept = { from, readAt: Date.now(), counts };
    counts.catch(() => {
      kept = null;
    });
    return counts;
  }

  return async (hours: number): Promise<SchedulerLoad> => {
    const from = Math.floor(clock.now().getTime() / hourMs) * hourMs;
    const counts = new Map(
      (await countsFrom(from)).map((one) => [one.starts_at.getTime(), one.people]),
    );
    return {
      hours: Array.from({ length: hours }, (_, index) => from + index * hourMs).map((at) => ({
        starts_at: new Date(at).toISOString(),
        people: counts.get(at) ?? 0,
      })),
    };
  };
}

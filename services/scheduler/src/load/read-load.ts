import { hourMs } from '@daylift/clock/durations';
import type { SchedulerLoad } from '@daylift/contracts/load.http';
import type { SchedulerDeps } from '../deps.ts';
import { countDueBetween, countDueByHour } from './load.repository.ts';

export async function readLoad(
  { db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>,
  hours: number,
): Promise<SchedulerLoad> {
  const now = clock.now().getTime();
  const from = Math.floor(now / hourMs) * hourMs;
  const lastHour = from + hours * hourMs;
  const until = now + hours * hourMs;
  const counted = await countDueByHour(db, new Date(from), new Date(lastHour));
  const people = new Map(counted.map((one) => [one.starts_at.getTime(), one.people]));
  if (until > lastHour)
    people.set(lastHour, await countDueBetween(db, new Date(lastHour), new Date(until)));
  const shown = Math.ceil((until - from) / hourMs);
  return {
    hours: Array.from({ length: shown }, (_, index) => from + index * hourMs).map((at) => ({
      starts_at: new Date(at).toISOString(),
      people: people.get(at) ?? 0,
    })),
  };
}

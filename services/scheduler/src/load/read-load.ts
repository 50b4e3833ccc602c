import { hourMs } from '@daylift/clock/durations';
import type { SchedulerLoad } from '@daylift/contracts/load.http';
import type { SchedulerDeps } from '../deps.ts';
import { countDueByHour } from './load.repository.ts';

export async function readLoad(
  { db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>,
  hours: number,
): Promise<SchedulerLoad> {
  const from = Math.floor(clock.now().getTime() / hourMs) * hourMs;
  const counted = await countDueByHour(db, new Date(from), new Date(from + hours * hourMs));
  const people = new Map(counted.map((one) => [one.starts_at.getTime(), one.people]));
  return {
    hours: Array.from({ length: hours }, (_, index) => from + index * hourMs).map((at) => ({
      starts_at: new Date(at).toISOString(),
      people: people.get(at) ?? 0,
    })),
  };
}

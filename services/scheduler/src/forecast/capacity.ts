import type { ForecastSender } from '@daylift/contracts/forecast.http';
import type { SenderCapacity } from '@daylift/contracts/senders.http';
import type { Tally } from './forecasts.table.ts';

interface Pool {
  senders: SenderCapacity[];
  accountPerSecond: number;
}

/**
 * Returns when each sender is done with the texts of each hour, and how many of them would be too late. Senders work
 * first in, first out, and share the account's rate by what they have to send.
 */
export function drainHours(
  hours: Tally['hours'],
  startsAt: number,
  pool: Pool,
): ForecastSender[][] {
  const left = new Map<string, number>();
  const days = new Map<string, number>();
  return hours.map(({ senders: counted }, index) => {
    const day = new Date(startsAt + index * 3_600_000)
      .toTemporalInstant()
      .toZonedDateTimeISO('America/Los_Angeles')
      .toPlainDate()
      .toString();
    const loads = pool.senders.map((sender) => loadOf(sender, pool.senders, counted));
    const waiting = pool.senders.map(({ number, state }, place) =>
      state === 'paused' ? 0 : (left.get(number) ?? 0) + sum(loads[place]!.values()),
    );
    const all = sum(waiting);
    return pool.senders.flatMap((sender, place) => {
      const { number } = sender;
      const backlog = left.get(number) ?? 0;
      const texts = sum(loads[place]!.values());
      const share = all === 0 ? 0 : (pool.accountPerSecond * waiting[place]!) / all;
      const rate = sender.state === 'paused' ? 0 : Math.min(sender.per_second, share);
      const dayKey = `${number} ${day}`;
      const free = (sender.per_day ?? Number.POSITIVE_INFINITY) - (days.get(dayKey) ?? 0);
      const inTime = Math.min(inWindows(loads[place]!, texts, backlog, rate), free);
      days.set(dayKey, (days.get(dayKey) ?? 0) + inTime);
      left.set(number, Math.max(0, backlog + inTime - rate * 3_600));
      if (texts === 0) return [];
      return {
        number,
        people: Math.round(texts),
        drain_seconds: rate === 0 ? 0 : Math.ceil((backlog + inTime) / rate),
        late: Math.round(texts - inTime),
      };
    });
  });
}

/** Returns a sender's texts of an hour by the seconds until their windows close, with its share of the unassigned. */
function loadOf(
  { number, state, per_second }: SenderCapacity,
  senders: SenderCapacity[],
  counted: Tally['hours'][number]['senders'],
): Map<number, number> {
  const active = sum(senders.filter((one) => one.state === 'active').map((one) => one.per_second));
  const share = state === 'active' ? per_second / active : 0;
  const load = new Map<number, number>();
  for (const [from, weight] of [
    [counted[number], 1],
    [counted[''], share],
  ] as const)
    for (const [seconds, texts] of Object.entries(from ?? {})) {
      if (weight === 0) continue;
      load.set(Number(seconds), (load.get(Number(seconds)) ?? 0) + texts * weight);
    }
  return load;
}

/** Returns how many of an hour's texts leave before their windows close, if their order is random. */
function inWindows(
  load: Map<number, number>,
  texts: number,
  backlog: number,
  rate: number,
): number {
  let inTime = 0;
  for (const [seconds, count] of load) {
    const reached = Math.max(0, seconds * rate - backlog);
    inTime += count * Math.min(1, reached / texts);
  }
  return inTime;
}

const sum = (numbers: Iterable<number>): number => {
  let all = 0;
  for (const one of numbers) all += one;
  return all;
};

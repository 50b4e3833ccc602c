import { hourMs, minuteMs, secondMs } from '@daylift/clock/durations';
import type { ForecastSender } from '@daylift/contracts/senders.http';
import { expect, test } from 'vitest';
import { aSender } from '../../test/harness.ts';
import { drainWaves, type Wave } from './drain.ts';

const now = new Date('2027-03-06T13:30:00Z');
const start = Date.parse('2027-03-06T14:00:00Z');
const senders: ForecastSender[] = [
  aSender({ number: 'A', rates: [{ key: 'a', count: 2, per_ms: secondMs }] }),
  aSender({ number: 'B', rates: [{ key: 'b', count: 75, per_ms: minuteMs }] }),
  aSender({
    number: 'C',
    rates: [{ key: 'c', count: 1, per_ms: secondMs }],
    days: [{ key: 'brand', count: 3_000, used: 1_000 }],
  }),
];
const pool = { account_per_second: 5, senders };

const wave = (sender: string, hour: number, texts: number): Wave => {
  const at = start + hour * hourMs;
  return { sender, at, lateAt: at + hourMs, closes: at + 3 * hourMs, texts };
};
const waves = [
  wave('A', 0, 9_000),
  wave('B', 0, 3_000),
  wave('C', 0, 2_600),
  wave('A', 1, 7_000),
  wave('B', 1, 5_000),
];

interface Outcome {
  drainSeconds: number;
  late: number;
  missed: number;
}

/** Sends one text after another within sliding windows, as the limiter does: at 97% of a limit. Returns outcomes by sender and hour. */
function sendOneByOne(): Map<string, Outcome> {
  const queues = Map.groupBy(
    waves.map((one) => ({ ...one, left: one.texts })),
    ({ sender }) => sender,
  );
  const outcomes = new Map<string, Outcome>();
  const sent = new Map<string, number[]>();
  const isFree = (key: string, count: number, perMs: number, at: number) => {
    const last = sent.get(key)?.at(-count);
    return last === undefined || last + perMs <= at;
  };
  let dayLeft = 2_000;
  for (let turn = 0; turn < 5 * hourMs; turn += 50)
    for (const { number, rates } of senders) {
      const at = start + turn / 0.97;
      const limits = [...rates, { key: 'account', count: 5, per_ms: secondMs }];
      for (;;) {
        const next = queues.get(number)?.find((one) => one.left > 0 && one.at <= at);
        if (next === undefined || (number === 'C' && dayLeft === 0)) break;
        if (!limits.every(({ key, count, per_ms }) => isFree(key, count, per_ms, turn))) break;
        if (at >= next.closes) break;
        for (const { key } of limits) sent.set(key, [...(sent.get(key) ?? []).slice(-80), turn]);
        next.left -= 1;
        if (number === 'C') dayLeft -= 1;
        const key = `${number} ${(next.at - start) / hourMs}`;
        const outcome = outcomes.get(key) ?? { drainSeconds: 0, late: 0, missed: 0 };
        outcome.drainSeconds = (at - next.at) / secondMs;
        if (at >= next.lateAt) outcome.late += 1;
        outcome.missed = next.left;
        outcomes.set(key, outcome);
      }
    }
  return outcomes;
}

test('drain times, late texts and missed texts are within 5% of what the limits of three senders allow', () => {
  const actual = sendOneByOne();
  const hours = drainWaves(waves, pool, now);
  const near = (expected: number) => ({ least: expected * 0.95 - 5, most: expected * 1.05 + 5 });
  const seen = [0, 1].flatMap((hour) =>
    (hours[hour + 1]?.senders ?? []).map(({ number, drain_seconds, late, missed }) => {
      const own = actual.get(`${number} ${hour}`)!;
      for (const [computed, simulated] of [
        // A missed text isn't sent, so it has no time.
        [missed > 0 ? own.drainSeconds : drain_seconds, own.drainSeconds],
        [late, own.late],
        [missed, own.missed],
      ] as const) {
        expect(computed).toBeGreaterThanOrEqual(near(simulated).least);
        expect(computed).toBeLessThanOrEqual(near(simulated).most);
      }
      return { number, late: late > 0, missed: missed > 0 };
    }),
  );
  expect(seen).toEqual([
    { number: 'A', late: true, missed: false },
    { number: 'B', late: false, missed: false },
    { number: 'C', late: false, missed: true },
    { number: 'A', late: true, missed: false },
    { number: 'B', late: true, missed: false },
  ]);
});

import type { Forecast } from '@daylift/contracts/forecast.http';
import { readMetrics } from '@daylift/testing/metrics';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aTemplate, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Scheduler } from '../../test/harness.ts';

const [first, second, third] = ['+18885550101', '+18885550102', '+18885550103'];
const sender = (number: string, per_second: number, more: object = {}) => ({
  number,
  state: 'active',
  per_second,
  per_day: null,
  ...more,
});

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
  scheduler.deps.learnSpread([]);
  scheduler.answers['/internal/price'] = {
    per_part: '0.0040',
    currency: 'USD',
    rate_per_second: 100,
  };
  scheduler.answers['/internal/senders/subscribers'] = {};
});

async function subscribers(count: number, settings: object = {}): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n += 1) ids.push((await subscribe(scheduler, settings)).user_id);
  return ids;
}

async function computeForecast(): Promise<Forecast> {
  const read = async () =>
    (await scheduler.call('GET', '/admin/rehearsal', asAdmin('viewer'))).json<Forecast>();
  await read();
  await scheduler.settle();
  return read();
}

const refresh = () => scheduler.loops.find(({ name }) => name === 'refresh-forecast')?.run?.();
const fullest = ({ hours }: Forecast) =>
  hours.toSorted((one, other) => other.people - one.people)[0]!;

test("divides an hour among senders: those of subscribers, and the rest by the senders' rates", async () => {
  const ids = await subscribers(20);
  scheduler.answers['/internal/senders'] = [
    sender(first, 0.25),
    sender(second, 0.5),
    sender(third, 1, { state: 'draining' }),
  ];
  scheduler.answers['/internal/senders/subscribers'] = { [first]: ids.slice(0, 8) };
  const { senders, drain_seconds, late } = fullest(await computeForecast());
  expect(senders).toEqual([
    { number: first, people: 12, drain_seconds: 48, late: 0 },
    { number: second, people: 8, drain_seconds: 16, late: 0 },
  ]);
  expect([drain_seconds, late]).toEqual([48, 0]);
});

test('counts texts that are too late: after three hours, after the evening hour, over a day, or paused', async () => {
  const ids = await subscribers(12);
  const night = await subscribers(6, { delivery_hour: 22 });
  // A text takes half an hour of the first sender: 6 in three hours, and 2 in the one hour at night.
  scheduler.answers['/internal/senders'] = [
    sender(first, 1 / 1_800),
    sender(second, 1, { per_day: 1 }),
    sender(third, 1, { state: 'paused' }),
  ];
  scheduler.answers['/internal/senders/subscribers'] = {
    [first]: [...ids.slice(0, 8), ...night],
    [second]: ids.slice(8, 10),
    [third]: ids.slice(10),
  };
  const { hours } = await computeForecast();
  const [morning, evening] = hours.filter((hour) => hour.people > 0);
  expect(morning?.senders.map(({ number, late }) => [number, late])).toEqual([
    [first, 2],
    [second, 1],
    [third, 2],
  ]);
  expect(evening?.senders.map(({ number, late }) => [number, late])).toEqual([[first, 4]]);
});

test('is computed without anyone looking, and reported by sender', async () => {
  const ids = await subscribers(8);
  scheduler.answers['/internal/senders'] = [sender(first, 1 / 1_800)];
  scheduler.answers['/internal/senders/subscribers'] = { [first]: ids };
  await refresh();
  await scheduler.settle();
  const figure = await readMetrics(scheduler.app);
  // 8 are due, of which 6 leave within three hours.
  expect(figure('sms_forecast_late_texts', { sender: first })).toBe(2);
  expect(figure('sms_forecast_drain_seconds', { sender: first })).toBe(10_800);
});

test('spreads a full hour over the time that it needs, at most 30 minutes, and a small one not at all', async () => {
  const due = async () => {
    const { next_due_at } = await scheduler.subscriber((await subscribers(1))[0]!);
    return next_due_at!.toISOString();
  };
  for (const [perSecond, latest] of [
    [100, '2027-03-06T14:00:00.000Z'],
    [0.1, '2027-03-06T14:03:20.000Z'],
    [0.01, '2027-03-06T14:30:00.000Z'],
  ] as const) {
    await scheduler.reset('2027-03-05T12:00:00Z');
    await scheduler.receive('content.template.changed', aTemplate());
    scheduler.deps.learnSpread([]);
    scheduler.answers['/internal/senders'] = [sender(first, perSecond)];
    await subscribers(20);
    await computeForecast();
    await refresh();
    const instants = [];
    for (let n = 0; n < 12; n += 1) instants.push(await due());
    const span = [instants.toSorted()[0]!, instants.toSorted().at(-1)!];
    expect(span[0]! >= '2027-03-06T14:00:00.000Z').toBe(true);
    expect(span[1]! <= latest).toBe(true);
    expect(new Set(instants).size > 6).toBe(perSecond < 1);
  }
});

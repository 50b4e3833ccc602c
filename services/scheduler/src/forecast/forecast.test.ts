import { hourMs } from '@daylift/clock/durations';
import type { Forecast } from '@daylift/contracts/forecast.http';
import type { SenderLoad } from '@daylift/contracts/senders.http';
import { readMetrics } from '@daylift/testing/metrics';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, change, someSettings, subscribe } from '../../test/factories.ts';
import {
  aSender,
  aSenderLoad,
  asAdmin,
  asUser,
  openScheduler,
  type Scheduler,
} from '../../test/harness.ts';
import { requestForecastLoop } from './forecast.loop.ts';
import { claimForecast, requestForecast } from './forecasts.repository.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler({ spreadMs: 900_000 });
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  scheduler.answers['/internal/people'] = [];
  scheduler.answers['/internal/sender-load'] = aSenderLoad();
  await scheduler.receive('content.template.changed', aTemplate());
});

const viewer = asAdmin('viewer');
const read = async (query = ''): Promise<Forecast> =>
  (await scheduler.call('GET', `/admin/rehearsal${query}`, viewer)).json();
/** Requests a forecast and waits for it. */
async function computeForecast(): Promise<Forecast> {
  await read();
  await scheduler.settle();
  return read();
}
const skipped = async (reason: string, more = '') =>
  (
    await scheduler.call(
      'GET',
      `/admin/rehearsal/skipped?reason=${encodeURIComponent(reason)}${more}`,
      viewer,
    )
  ).json();
const hourOf = (instant: string) => `${instant.slice(0, 13)}:00:00.000Z`;

/**
 * Advances 48 hours and returns the number of texts released in each. Stops after each quarter-hour in which the hour or
 * half-hour of a time zone can begin, because the spread is a quarter-hour.
 */
async function live(from: string): Promise<Map<string, number>> {
  const before = new Set((await scheduler.texts()).map((one) => one.dispatch_id));
  const counts = new Map<string, number>();
  for (let minute = 15; minute < 48 * 60; minute += 30) {
    const at = new Date(Date.parse(hourOf(from)) + minute * 60_000);
    if (at <= scheduler.clock.now()) continue;
    await scheduler.goTo(at.toISOString());
    for (const text of await scheduler.texts()) {
      if (before.has(text.dispatch_id)) continue;
      before.add(text.dispatch_id);
      const hour = hourOf(at.toISOString());
      counts.set(hour, (counts.get(hour) ?? 0) + 1);
      await scheduler.answer(text, 'accepted');
    }
  }
  return counts;
}

describe('a forecast', () => {
  test('matches what then happens in each hour, for all kinds of subscribers', async () => {
    const zones = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Havana'];
    for (let hour = 0; hour < 24; hour += 3)
      for (const timezone of zones) await subscribe(scheduler, { timezone, delivery_hour: hour });
    await subscribe(scheduler, { frequency: 'weekly', weekday: 7 });
    await subscribe(scheduler, { frequency: 'weekly', weekday: 3 });
    await subscribe(scheduler, { paused_until: '2027-03-07' });
    await subscribe(scheduler, { paused_until: '2027-04-07' });
    await subscribe(scheduler, { consent: 'pending' });
    await subscribe(scheduler, { delivery_enabled: false });
    await subscribe(scheduler, {}, { entitled_until: '2027-03-06T20:00:00.000Z' });
    const stopped = await subscribe(scheduler);
    await scheduler.receive('sms.recipient.opted_out', {
      user_id: stopped.user_id,
      at: '2027-03-05T12:00:00.000Z',
      source: 'keyword',
    });
    const moved = await subscribe(scheduler, { delivery_hour: 13 });
    await scheduler.goTo('2027-03-06T03:00:00Z');
    await change(scheduler, moved, { timezone: 'Europe/Berlin', delivery_hour: 6 });
    await scheduler.receive('content.message.scheduled', aMessage());
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ category: 'announcement', scheduled_date: '2027-03-07', scheduled_time: '10:00' }),
    );
    await scheduler.goTo('2027-03-06T03:20:00Z');
    await scheduler.answerAll();
    // Some have had theirs, some are planned, most are neither.
    const forecast = await computeForecast();
    expect(forecast).toMatchObject({ as_of: '2027-03-06T03:20:00.000Z', progress: null });
    expect(forecast.hours).toHaveLength(48);
    const actual = await live('2027-03-06T03:20:00Z');
    expect(actual.size).toBeGreaterThan(20);
    expect(Object.fromEntries(forecast.hours.map((one) => [one.starts_at, one.people]))).toEqual(
      Object.fromEntries(
        forecast.hours.map((one) => [one.starts_at, actual.get(one.starts_at) ?? 0]),
      ),
    );
    const endings = await scheduler.db
      .selectFrom('dispatches')
      .select(['state', 'reason', 'user_id'])
      .where('state', 'in', ['skipped', 'missed'])
      .where('settled_at', '>', new Date('2027-03-06T03:20:00Z'))
      .execute();
    const skips = new Set(
      endings.map(({ state, reason, user_id }) => `${state}:${reason}/${user_id}`),
    );
    const expected = new Map<string, number>();
    for (const key of [...skips].map((one) => one.split('/')[0] ?? ''))
      expected.set(key, (expected.get(key) ?? 0) + 1);
    expect(Object.fromEntries(forecast.skipped.map(({ key, people }) => [key, people]))).toEqual(
      Object.fromEntries(expected),
    );
  });

  test('counts texts that are waiting to be sent, and late ones', async () => {
    await subscribe(scheduler);
    await subscribe(scheduler, { delivery_hour: 10 });
    await scheduler.goTo('2027-03-06T15:30:00Z');
    expect((await computeForecast()).hours[0]?.people).toBe(2);
    scheduler.clock.set('2027-03-06T17:30:00Z');
    const { hours, skipped: reasons } = await computeForecast();
    expect(hours[0]?.people).toBe(1);
    expect(reasons).toMatchObject([{ key: 'missed:late', people: 1 }]);
  });

  test("derives cost and time from the sender's settings", async () => {
    scheduler.answers['/internal/price'] = {
      per_part: '0.0040',
      currency: 'USD',
      rate_per_second: 1,
    };
    await scheduler.receive('content.message.scheduled', aMessage({ content: 'x'.repeat(200) }));
    scheduler.answers['/internal/sender-load'] = aSenderLoad({ account_per_second: 1 });
    for (let count = 0; count < 3; count += 1) await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T03:00:00Z');
    const { hours, days } = await computeForecast();
    const drained = { drain_seconds: 4, late: 0, missed: 0 };
    expect(hours[11]).toEqual({
      starts_at: '2027-03-06T14:00:00.000Z',
      people: 3,
      estimated_cost: '0.0240',
      ...drained,
      senders: [{ number: '+18885550100', texts: 3, per_hour: 360_000, ...drained }],
    });
    expect(days).toEqual([
      { date: '2027-03-06', people: 3, from_library: 0, has_message: true },
      { date: '2027-03-07', people: 3, from_library: 3, has_message: false },
    ]);
  });

  test('shows for each sender what an hour takes, which texts are late, and which are missed', async () => {
    const perHour = (number: string, count: number, more = {}) =>
      aSender({
        number,
        per_hour: count,
        rates: [{ key: number, count, per_ms: hourMs }],
        ...more,
      });
    const capped = { days: [{ key: 'brand', count: 3, used: 2 }] };
    const senders = [
      perHour('slow', 2),
      perHour('fast', 3_600),
      perHour('capped', 20, capped),
      perHour('paused', 20, { state: 'paused' }),
    ];
    const subscribers = Object.fromEntries(
      await Promise.all(
        ['slow', 'slow', 'slow', 'fast', 'capped', 'capped', 'paused', null].map(async (number) => {
          const { user_id } = await subscribe(scheduler);
          return [user_id, { number, country: 'US' }];
        }),
      ),
    );
    scheduler.answers['/internal/sender-load'] = aSenderLoad({ senders, subscribers });
    await scheduler.goTo('2027-03-06T12:00:00Z');
    const { hours } = await computeForecast();
    expect(hours[2]).toMatchObject({ people: 8, drain_seconds: 10_800, late: 1, missed: 2 });
    expect(hours[2]?.senders).toEqual([
      {
        number: 'slow',
        texts: 3,
        per_hour: 2,
        drain_seconds: expect.closeTo(5_567, -1),
        late: 1,
        missed: 0,
      },
      // A subscriber without a sender gets the one with the most room.
      { number: 'fast', texts: 2, per_hour: 3_600, drain_seconds: 3, late: 0, missed: 0 },
      { number: 'capped', texts: 2, per_hour: 20, drain_seconds: 10_800, late: 0, missed: 1 },
      { number: 'paused', texts: 1, per_hour: 20, drain_seconds: 10_800, late: 0, missed: 1 },
    ]);
    // The limit per day resets at midnight in Pacific time.
    expect(hours[26]?.senders?.[2]).toMatchObject({ number: 'capped', texts: 2, missed: 0 });
  });

  test('is computed every three hours without a reader, and late texts become a metric', async () => {
    const loop = requestForecastLoop(scheduler.deps);
    const rates = [{ key: 'a', count: 2, per_ms: hourMs }];
    const senders = [aSender({ rates }), aSender({ number: '+18885550101', state: 'paused' })];
    const subscribers: SenderLoad['subscribers'] = {};
    scheduler.answers['/internal/sender-load'] = aSenderLoad({ senders, subscribers });
    for (let count = 0; count < 5; count += 1) await subscribe(scheduler);
    const { user_id } = await subscribe(scheduler);
    subscribers[user_id] = { number: '+18885550101', country: 'US' };
    await scheduler.goTo('2027-03-05T13:00:00Z');
    const metric = async (sender = '+18885550100') =>
      (await readMetrics(scheduler.app))('scheduler_forecast_late_texts', { sender });
    expect(await loop.run?.()).toBe(1);
    expect(await loop.run?.()).toBe(0);
    await scheduler.settle();
    expect(await loop.run?.()).toBe(0);
    // The first texts are due in 25 hours.
    expect(await metric()).toBeUndefined();
    await scheduler.goTo('2027-03-05T15:00:00Z');
    expect(await metric()).toBe(3);
    expect(await loop.run?.()).toBe(0);
    await scheduler.goTo('2027-03-05T16:00:00Z');
    expect(await loop.run?.()).toBe(1);
    await scheduler.settle();
    expect(await metric()).toBe(3);
    expect(await metric('+18885550101')).toBeUndefined();
    // Once the hour has started, they are the backlog.
    scheduler.clock.set('2027-03-06T14:00:00Z');
    expect(await metric()).toBeUndefined();
  });

  test('counts the backlog of earlier hours', async () => {
    const rates = [{ key: 'a', count: 2, per_ms: hourMs }];
    const senders = [aSender({ per_hour: 2, rates })];
    scheduler.answers['/internal/sender-load'] = aSenderLoad({ senders });
    for (let count = 0; count < 3; count += 1) await subscribe(scheduler);
    await subscribe(scheduler, { delivery_hour: 10 });
    await scheduler.goTo('2027-03-06T12:00:00Z');
    const { hours } = await computeForecast();
    expect(hours[2]).toMatchObject({ people: 3, late: 1 });
    expect(hours[3]).toMatchObject({ people: 1, late: 0, missed: 0 });
    expect(hours[3]?.drain_seconds).toBeGreaterThan(1_800);
  });

  test('fails without the senders and is computed once they are known', async () => {
    await subscribe(scheduler);
    scheduler.answers['/internal/sender-load'] = null;
    await read();
    await expect(scheduler.settle()).rejects.toThrow('senders');
    expect((await read()).as_of).toBeNull();
    scheduler.answers['/internal/sender-load'] = aSenderLoad();
    await scheduler.db
      .updateTable('rehearsals')
      .set({ lease_until: new Date(0) })
      .execute();
    await scheduler.settle();
    expect((await read()).as_of).not.toBeNull();
  });

  test('lists skipped subscribers by reason, in pages', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1)
      ids.push((await subscribe(scheduler, { paused_until: '2027-04-01' })).user_id);
    await computeForecast();
    const first = await skipped('skipped:paused', '&limit=3');
    expect(first.people.map((one: { user_id: string }) => one.user_id)).toEqual(
      ids.toSorted().slice(0, 3),
    );
    const second = await skipped('skipped:paused', `&limit=3&cursor=${first.next}`);
    expect(second.people).toHaveLength(2);
    expect(second.next).toBeNull();
    expect((await computeForecast()).skipped).toEqual([
      { key: 'skipped:paused', words: 'Texts paused by the subscriber.', people: 5 },
    ]);
  });

  test('reports that no one gets a text when there is no content', async () => {
    await scheduler.db.deleteFrom('templates').execute();
    const { user_id } = await subscribe(scheduler);
    const { skipped: reasons, hours } = await computeForecast();
    expect(reasons).toMatchObject([{ key: 'missed:no content', people: 1 }]);
    expect(hours.every((one) => one.people === 0)).toBe(true);
    expect((await skipped('missed:no content')).people).toMatchObject([{ user_id }]);
  });

  test('has no side effects', async () => {
    const { user_id } = await subscribe(scheduler);
    const before = await scheduler.subscriber(user_id);
    await scheduler.settle();
    const dispatches = await scheduler.dispatches();
    await computeForecast();
    expect(await scheduler.subscriber(user_id)).toEqual(before);
    expect(await scheduler.dispatches()).toEqual(dispatches);
  });

  test('is recomputed on request once it is old, shared by concurrent requests', async () => {
    const first = await computeForecast();
    expect((await read()).progress).toBeNull();
    scheduler.clock.set('2027-03-05T12:05:00Z');
    const reads = await Promise.all([read(), read(), read()]);
    expect(reads.every((one) => one.progress !== null && one.as_of === first.as_of)).toBe(true);
    await scheduler.settle();
    expect((await read()).as_of).toBe('2027-03-05T12:05:00.000Z');
    const stored = await scheduler.db.selectFrom('rehearsals').select('id').execute();
    expect(stored).toHaveLength(1);
  });

  test('is recomputed in a new hour, which it then begins with', async () => {
    await scheduler.goTo('2027-03-05T12:59:50Z');
    await computeForecast();
    await scheduler.goTo('2027-03-05T13:00:05Z');
    const [first] = (await computeForecast()).hours;
    expect(first?.starts_at).toBe('2027-03-05T13:00:00.000Z');
  });

  test('is restarted if its process died', async () => {
    await subscribe(scheduler);
    await requestForecast(scheduler.db, {
      id: crypto.randomUUID(),
      as_of: scheduler.clock.now(),
      started_at: new Date(),
    });
    const dead = { token: crypto.randomUUID(), as_of: scheduler.clock.now() };
    const claimAs = (lease_until: Date) =>
      scheduler.db
        .transaction()
        .execute((trx) => claimForecast(trx, { ...dead, lease_until, wall: new Date() }));
    expect(await claimAs(new Date(Date.now() + 60_000))).toBeDefined();
    expect(await claimAs(new Date())).toBeUndefined();
    await scheduler.settle();
    expect((await read()).as_of).toBeNull();
    await scheduler.db
      .updateTable('rehearsals')
      .set({ lease_until: new Date(0) })
      .execute();
    await scheduler.settle();
    expect((await read()).as_of).not.toBeNull();
  });

  test('is for admins; numbers depend on the role', async () => {
    const { user_id } = await subscribe(scheduler, someSettings({ paused_until: '2027-04-01' }));
    await computeForecast();
    scheduler.answers['/internal/people'] = [
      { id: user_id, name: 'Ada', email: 'ada@example.com', phone: '+14155550123' },
    ];
    expect((await skipped('skipped:paused')).people).toMatchObject([{ phone: '+1••••••••23' }]);
    const paths = ['/admin/rehearsal', '/admin/rehearsal/skipped?reason=skipped:paused'];
    for (const path of paths) {
      expect((await scheduler.call('GET', path, null)).statusCode).toBe(401);
      expect((await scheduler.call('GET', path, asUser())).statusCode).toBe(403);
    }
    for (const path of ['/admin/rehearsal?hours=49', '/admin/rehearsal/skipped?reason=x'])
      expect((await scheduler.call('GET', path, viewer)).statusCode).toBe(400);
  });
});

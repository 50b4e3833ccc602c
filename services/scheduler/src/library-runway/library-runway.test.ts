import type { LibraryRunway } from '@daylift/contracts/library-runway.http';
import { readMetrics } from '@daylift/testing/metrics';
import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(() => scheduler.reset('2027-03-05T12:00:00Z'));

const read = async (): Promise<LibraryRunway> =>
  (await scheduler.call('GET', '/admin/library/runway', asAdmin('viewer'))).json();
const days = async (category = 'motivational') =>
  (await read()).categories.find((one) => one.category === category)?.days;
const warnings = async () =>
  (await publishedEvents(scheduler.db, 'scheduler.library.runs_out')).map(
    ({ data }) => data as { category: string; days: number; threshold_days: number },
  );
async function addTemplates(count: number, category?: string) {
  const added = Array.from({ length: count }, () =>
    aTemplate(category === undefined ? {} : { category }),
  );
  for (const one of added) await scheduler.receive('content.template.changed', one);
  return added;
}
/** At 10:00 in New York, after the day's text. */
const afterText = (date: string) => scheduler.goTo(`${date}T15:00:00Z`);

describe('the library runway', () => {
  test('shrinks by a day with each text, and is over exactly when texts start to repeat', async () => {
    await addTemplates(5);
    await subscribe(scheduler);
    await scheduler.settle();
    expect(await days()).toBe(5);
    const left = [];
    for (let day = 6; day <= 11; day += 1) {
      await afterText(`2027-03-${String(day).padStart(2, '0')}`);
      left.push(await days());
    }
    expect(left).toEqual([4, 3, 2, 1, 0, 0]);
    const contents = (await scheduler.texts()).map(({ dispatch_id }) => dispatch_id);
    expect(contents).toHaveLength(6);
    const used = await scheduler.dispatches();
    const templates = used.filter((one) => one.state === 'released').map((one) => one.template_id);
    expect(new Set(templates.slice(0, 5)).size).toBe(5);
    expect(templates[5]).toBe(templates[0]);
  });

  test('is longer by days with a scheduled message, and seven times as long if all are weekly', async () => {
    await addTemplates(5);
    const settings = await subscribe(scheduler);
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ scheduled_date: '2027-03-08' }),
    );
    await scheduler.settle();
    expect(await days()).toBe(6);
    await change(scheduler, settings, { frequency: 'weekly', weekday: 6 });
    await scheduler.goTo('2027-03-05T22:00:00Z');
    // March 6, then four more Saturdays.
    expect(await days()).toBe(29);
  });

  test('is that of the subscriber who has had the most texts, and ignores subscribers without any', async () => {
    await addTemplates(10);
    const first = await subscribe(scheduler);
    await afterText('2027-03-06');
    await afterText('2027-03-07');
    await subscribe(scheduler, {}, { entitled_since: '2027-03-07T12:00:00.000Z' });
    await afterText('2027-03-08');
    expect(await days()).toBe(7);
    await change(scheduler, first, { is_active: false });
    await scheduler.goTo('2027-03-08T22:00:00Z');
    expect(await days()).toBe(9);
  });

  test('is known per category, and ends when the last one is used up', async () => {
    await addTemplates(6);
    await addTemplates(2, 'gratitude');
    await subscribe(scheduler);
    await scheduler.settle();
    const { categories } = await read();
    expect(categories.map(({ category, active }) => [category, active])).toEqual([
      ['gratitude', 2],
      ['motivational', 6],
    ]);
    const runs = new Map(categories.map((one) => [one.category, one.days ?? 0]));
    expect(Math.max(...runs.values())).toBe(8);
    const sentOf = { gratitude: 0, motivational: 0 };
    for (let day = 6; day <= 13; day += 1) {
      await afterText(`2027-03-${String(day).padStart(2, '0')}`);
      const used = new Set((await scheduler.dispatches()).map((one) => one.template_id));
      const templates = await scheduler.db.selectFrom('templates').selectAll().execute();
      for (const category of ['gratitude', 'motivational'] as const) {
        const left = templates.filter((one) => one.category === category && !used.has(one.id));
        if (left.length === 0) sentOf[category] ||= day - 5;
      }
    }
    expect(sentOf).toEqual(Object.fromEntries(runs));
  });

  test('follows a change of the library within a minute', async () => {
    const [one] = await addTemplates(3);
    await subscribe(scheduler);
    await scheduler.settle();
    await scheduler.receive('content.template.changed', { ...one, version: 2, is_active: false });
    await scheduler.settle();
    expect(await days()).toBe(2);
  });

  test('is unknown without subscribers, and empty without texts', async () => {
    expect(await read()).toEqual({ computed_at: null, categories: [] });
    await scheduler.settle();
    expect((await read()).categories).toEqual([]);
    await addTemplates(1);
    await scheduler.settle();
    expect((await read()).categories).toEqual([
      { category: 'motivational', active: 1, days: null },
    ]);
    expect(await warnings()).toEqual([]);
  });

  test('is a metric', async () => {
    await addTemplates(5);
    await subscribe(scheduler);
    await scheduler.settle();
    const metric = await readMetrics(scheduler.app);
    expect(metric('scheduler_library_runway_days', { category: 'motivational' })).toBe(5);
  });

  test('is for operators', async () => {
    const path = '/admin/library/runway';
    expect((await scheduler.call('GET', path, null)).statusCode).toBe(401);
    expect((await scheduler.call('GET', path, asUser())).statusCode).toBe(403);
  });
});

describe('warnings', () => {
  test('are sent once 14, 7 and 2 days ahead, and again after the library grew', async () => {
    await addTemplates(16);
    await subscribe(scheduler);
    for (let day = 6; day <= 22; day += 1)
      await afterText(`2027-03-${String(day).padStart(2, '0')}`);
    expect(await warnings()).toEqual([
      { category: 'motivational', days: 14, threshold_days: 14, date: '2027-03-07' },
      { category: 'motivational', days: 7, threshold_days: 7, date: '2027-03-14' },
      { category: 'motivational', days: 2, threshold_days: 2, date: '2027-03-19' },
    ]);
    await addTemplates(10);
    await scheduler.settle();
    expect(await warnings()).toHaveLength(3);
    for (const day of [23, 24, 25]) await afterText(`2027-03-${day}`);
    expect((await warnings()).at(-1)).toMatchObject({ threshold_days: 7 });
    expect(await warnings()).toHaveLength(4);
  });

  test('are sent once for a library that is nearly used up from the start', async () => {
    await addTemplates(1);
    await subscribe(scheduler);
    await scheduler.settle();
    await scheduler.settle();
    expect((await warnings()).map((one) => one.threshold_days)).toEqual([2]);
  });
});

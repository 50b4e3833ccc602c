import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(() => scheduler.reset('2027-03-06T04:00:00Z'));

const since = { entitled_since: '2027-03-01T00:00:00.000Z' };
const published = async () =>
  (await publishedEvents(scheduler.db, 'scheduler.content.missing')).map((one) => one.data);

describe('missing content', () => {
  test('is reported once per date, the day before, as it starts in each zone', async () => {
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' }, since);
    await subscribe(scheduler, {}, since);
    // The 6th in Tokyo, still the 5th in New York.
    await scheduler.settle();
    await scheduler.settle();
    expect(await published()).toEqual([{ date: '2027-03-06' }, { date: '2027-03-07' }]);
    await scheduler.goTo('2027-03-06T14:59:00Z');
    expect(await published()).toHaveLength(2);
    await scheduler.goTo('2027-03-06T15:00:00Z');
    expect((await published()).at(-1)).toEqual({ date: '2027-03-08' });
  });

  test("isn't reported for a date with a message, or if the library has a text", async () => {
    await subscribe(scheduler, {}, since);
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ scheduled_date: '2027-03-06' }),
    );
    await scheduler.settle();
    expect(await published()).toEqual([]);
    const template = aTemplate();
    await scheduler.receive('content.template.changed', template);
    await scheduler.goTo('2027-03-07T12:00:00Z');
    expect(await published()).toEqual([]);
    await scheduler.receive('content.template.changed', {
      ...template,
      version: 2,
      is_active: false,
    });
    await scheduler.settle();
    expect(await published()).toEqual([{ date: '2027-03-08' }]);
  });

  test("isn't filled by an announcement", async () => {
    await subscribe(scheduler, {}, since);
    const scheduled_date = '2027-03-06';
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ category: 'announcement', scheduled_date }),
    );
    await scheduler.settle();
    expect(await published()).toEqual([{ date: '2027-03-06' }]);
  });

  test('is reported again when fixed and missing again', async () => {
    await subscribe(scheduler, {}, since);
    await scheduler.settle();
    const message = aMessage({ scheduled_date: '2027-03-06' });
    await scheduler.receive('content.message.scheduled', message);
    await scheduler.settle();
    expect(await published()).toHaveLength(1);
    await scheduler.receive('content.message.deleted', { id: message.id, version: 2 });
    await scheduler.settle();
    expect(await published()).toEqual([{ date: '2027-03-06' }, { date: '2027-03-06' }]);
  });

  test("isn't reported when no one would get a text", async () => {
    await subscribe(scheduler, {}, { ...since, entitled: false });
    await scheduler.settle();
    expect(await published()).toEqual([]);
  });
});

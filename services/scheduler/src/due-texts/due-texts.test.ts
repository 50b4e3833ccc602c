import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, expect, test } from 'vitest';
import { aMessage, aTemplate, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
  return () => scheduler.close();
});

test('publishes how many texts are due until midnight UTC: daily ones, announcements and manual sends', async () => {
  const published = async () => {
    await scheduler.settle();
    const events = await publishedEvents(scheduler.db, 'scheduler.due_texts.changed');
    return events.map(({ data }) => data);
  };
  await subscribe(scheduler, { delivery_hour: 15 });
  await subscribe(scheduler, { delivery_hour: 16 });
  // Due after midnight UTC.
  await subscribe(scheduler, { delivery_hour: 21 });
  await scheduler.goTo('2027-03-06T12:00:00Z');
  const until = '2027-03-07T00:00:00.000Z';
  expect((await published()).at(-1)).toEqual({
    ...{ until, texts: 2, counted_at: '2027-03-06T12:00:00.000Z' },
  });
  const notice = { category: 'announcement' as const, scheduled_date: '2027-03-06' };
  for (const scheduled_time of ['18:00', '20:00'])
    await scheduler.receive('content.message.scheduled', aMessage({ ...notice, scheduled_time }));
  // Not planned yet: one at 6:00 PM to each, one after midnight UTC.
  await scheduler.goTo('2027-03-06T13:01:00Z');
  expect((await published()).at(-1)).toMatchObject({ until, texts: 5 });
  // Planned.
  await scheduler.goTo('2027-03-06T21:30:00Z');
  expect((await published()).at(-1)).toMatchObject({ until, texts: 5 });
  const count = (await published()).length;
  await scheduler.goTo('2027-03-06T22:40:00Z');
  expect(await published()).toHaveLength(count);
});

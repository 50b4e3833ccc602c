import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

const completed = async () =>
  (await publishedEvents(scheduler.db, 'scheduler.message.completed')).map((one) => one.data);

describe('a scheduled message is completed', () => {
  test('when no eligible recipient is left, and not before', async () => {
    const message = aMessage();
    await scheduler.receive('content.message.scheduled', message);
    await subscribe(
      scheduler,
      { timezone: 'Asia/Tokyo' },
      { entitled_since: '2027-03-04T00:00:00.000Z' },
    );
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T00:00:00Z');
    await scheduler.answer((await scheduler.texts())[0] ?? never(), 'accepted');
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect(await completed()).toEqual([]);
    const [, , last] = await scheduler.texts();
    const text = last ?? (await scheduler.texts())[1] ?? never();
    scheduler.clock.advance({ seconds: 7 });
    await scheduler.answer(text, 'accepted');
    await scheduler.settle();
    expect(await completed()).toEqual([
      { scheduled_message_id: message.id, completed_at: '2027-03-06T14:00:07.000Z', version: 1 },
    ]);
    await scheduler.goTo('2027-03-10T00:00:00Z');
    expect(await completed()).toHaveLength(1);
  });

  test('when its date is over everywhere, even if no one got it', async () => {
    await scheduler.receive('content.message.scheduled', aMessage());
    await scheduler.goTo('2027-03-07T14:59:00Z');
    expect(await completed()).toEqual([]);
    await scheduler.goTo('2027-03-07T15:00:00Z');
    expect(await completed()).toHaveLength(1);
  });

  test('not while one of its texts has no outcome', async () => {
    await scheduler.receive('content.message.scheduled', aMessage());
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    await scheduler.goTo('2027-03-08T00:00:00Z');
    expect(await completed()).toEqual([]);
  });

  test('never if it was deleted', async () => {
    const message = aMessage();
    await scheduler.receive('content.message.scheduled', message);
    await scheduler.receive('content.message.deleted', { id: message.id, version: 2 });
    await scheduler.goTo('2027-03-09T00:00:00Z');
    expect(await completed()).toEqual([]);
  });
});

function never(): never {
  throw new Error('Nothing was released');
}

import type { SequenceText } from '@daylift/contracts/content.events';
import type { Forecast } from '@daylift/contracts/forecast.http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aSequenceText, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate({ content: 'Library' }));
});

const sequence = (change: Partial<SequenceText>) => aSequenceText(change);
const put = async (...texts: SequenceText[]) => {
  for (const one of texts) await scheduler.receive('content.sequence.changed', one);
};
const dayOne = sequence({ day: 1, content: 'Day 1' });
const daySeven = sequence({ day: 7, content: 'Day 7' });
const sent = async (userId?: string) =>
  (await scheduler.texts())
    .filter((one) => userId === undefined || one.user_id === userId)
    .map((one) => `${one.local_date.slice(5)} ${one.content}`);
/** The hour of the subscriber, in New York, with and without daylight saving time. */
const live = async (from: string, until: string) => {
  let date = Temporal.PlainDate.from(from);
  for (; Temporal.PlainDate.compare(date, until) <= 0; date = date.add({ days: 1 }))
    await scheduler.goTo(`${date}T14:00:00Z`);
};

describe('a sequence text', () => {
  test("replaces the day's text once, on the day counted from the first text", async () => {
    await put(dayOne, daySeven);
    await subscribe(scheduler);
    await live('2027-03-06', '2027-03-13');
    expect(await sent()).toEqual([
      '03-06 Day 1',
      '03-07 Library',
      '03-08 Library',
      '03-09 Library',
      '03-10 Library',
      '03-11 Library',
      '03-12 Day 7',
      '03-13 Library',
    ]);
  });

  test('on day 30 and day 100 reaches subscribers who joined on different days', async () => {
    await put(sequence({ day: 30, content: 'Day 30' }), sequence({ day: 100, content: 'Day 100' }));
    const old = await subscribe(scheduler, {}, { entitled_since: '2026-11-26T12:00:00.000Z' });
    const newer = await subscribe(scheduler, {}, { entitled_since: '2027-02-04T12:00:00.000Z' });
    // As if they had been texted since their first dates.
    for (const [one, first] of [
      [old, '2026-11-27'],
      [newer, '2027-02-05'],
    ] as const)
      await scheduler.db
        .updateTable('subscribers')
        .set({ first_local_date: first })
        .where('user_id', '=', one.user_id)
        .execute();
    await live('2027-03-05', '2027-03-07');
    expect(await sent(old.user_id)).toEqual(['03-05 Library', '03-06 Day 100', '03-07 Library']);
    expect(await sent(newer.user_id)).toEqual(['03-05 Library', '03-06 Day 30', '03-07 Library']);
  });

  test('replaces the next text within six days if none was due, as for weekly subscribers', async () => {
    await put(daySeven);
    const weekly = await subscribe(scheduler, { frequency: 'weekly', weekday: 6 });
    const paused = await subscribe(scheduler, { paused_until: '2027-03-15' });
    const tooLate = await subscribe(scheduler, { paused_until: '2027-03-20' });
    await live('2027-03-06', '2027-03-20');
    expect(await sent(weekly.user_id)).toEqual(['03-06 Library', '03-13 Day 7', '03-20 Library']);
    expect((await sent(paused.user_id)).slice(0, 2)).toEqual(['03-15 Day 7', '03-16 Library']);
    expect(await sent(tooLate.user_id)).toEqual(['03-20 Library']);
  });

  test('comes before the scheduled message of that date, and leaves announcements alone', async () => {
    await put(dayOne);
    await subscribe(scheduler);
    await scheduler.receive('content.message.scheduled', aMessage({ content: 'For all' }));
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ category: 'announcement', scheduled_time: '09:00', content: 'News' }),
    );
    await live('2027-03-06', '2027-03-06');
    expect((await sent()).toSorted()).toEqual(['03-06 Day 1', '03-06 News']);
  });

  test('is the only daily text of its date, however often it is released', async () => {
    await put(dayOne);
    await subscribe(scheduler);
    await live('2027-03-06', '2027-03-06');
    await scheduler.goTo('2027-03-06T14:30:00Z');
    const releases = await scheduler.releases();
    expect(releases.length).toBeGreaterThan(1);
    expect(new Set(releases.map((one) => one.dispatch_id)).size).toBe(1);
    expect(releases.every((one) => one.content === 'Day 1')).toBe(true);
  });

  test("isn't sent while it is off, and uses its newest version", async () => {
    await put({ ...dayOne, is_active: false });
    const first = await subscribe(scheduler);
    await live('2027-03-06', '2027-03-06');
    await put({ ...dayOne, version: 3, content: 'New' }, { ...dayOne, version: 1, content: 'Old' });
    await live('2027-03-07', '2027-03-08');
    expect(await sent(first.user_id)).toEqual(['03-06 Library', '03-07 New', '03-08 Library']);
  });

  test('that went to the test number is sent again', async () => {
    await put(dayOne);
    await subscribe(scheduler);
    await live('2027-03-06', '2027-03-06');
    const [text] = await scheduler.texts();
    if (text === undefined) throw new Error('Nothing was released.');
    await scheduler.answer(text, 'accepted', { is_test: true });
    await live('2027-03-07', '2027-03-08');
    expect((await sent()).slice(1)).toEqual(['03-07 Day 1', '03-08 Library']);
  });

  test("doesn't let library texts repeat early", async () => {
    await put(dayOne);
    await scheduler.receive('content.template.changed', aTemplate({ content: 'Second' }));
    await scheduler.receive('content.template.changed', aTemplate({ content: 'Third' }));
    await subscribe(scheduler);
    await live('2027-03-06', '2027-03-09');
    expect(new Set(await sent().then((texts) => texts.map((one) => one.slice(6)))).size).toBe(4);
  });

  test('is explained in the timeline, and is not from the library', async () => {
    await put(dayOne);
    const settings = await subscribe(scheduler);
    await live('2027-03-06', '2027-03-07');
    await change(scheduler, settings, { delivery_hour: 10 });
    const path = `/internal/timeline/${settings.user_id}?kinds=texts`;
    const { planned } = (
      await scheduler.call('GET', path, { kind: 'service', name: 'accounts' })
    ).json();
    expect(
      planned
        .filter((one: { state: string }) => one.state === 'released')
        .map((one: { local_date: string; sequence_day: number; from_library: boolean }) => [
          one.local_date,
          one.sequence_day,
          one.from_library,
        ]),
    ).toEqual([
      ['2027-03-07', null, true],
      ['2027-03-06', 1, false],
    ]);
  });

  test('is in the forecast, with its own length', async () => {
    await put(sequence({ day: 1, content: 'x'.repeat(200) }));
    await subscribe(scheduler);
    const read = async (): Promise<Forecast> =>
      (await scheduler.call('GET', '/admin/rehearsal', asAdmin('viewer'))).json();
    await read();
    await scheduler.settle();
    const { days, hours } = await read();
    expect(days).toEqual([{ date: '2027-03-06', people: 1, from_library: 0, has_message: false }]);
    expect(hours.find((one) => one.people === 1)?.estimated_cost).toBe('0.0080');
  });
});

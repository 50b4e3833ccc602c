import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { ScheduledContent } from '@daylift/contracts/content.events';
import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aSubscription, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
let announcement: ScheduledContent;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T00:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
  announcement = aMessage({ category: 'announcement', scheduled_time: '12:30' });
  await scheduler.receive('content.message.scheduled', announcement);
});

const since = { entitled_since: '2027-03-01T00:00:00.000Z' };
const announced = async () =>
  (await scheduler.texts())
    .filter((one) => one.kind === 'announcement')
    .map((one) => `${one.local_date} ${one.due_at.slice(0, 16)}`);
const through = (from: string, count: number) => {
  const to = new Date(Date.parse(from) + count * hourMs).toISOString();
  return scheduler.pass({ from, to, stepMs: 30 * minuteMs });
};

describe('an announcement', () => {
  test('reaches everyone at its time in their zone, in addition to the daily text', async () => {
    await subscribe(scheduler, {}, since);
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' }, since);
    await through('2027-03-06T00:00:00Z', 23);
    expect(await announced()).toEqual([
      '2027-03-06 2027-03-06T03:30',
      '2027-03-06 2027-03-06T17:30',
    ]);
    const rows = (await scheduler.dispatches()).filter((one) => one.kind !== 'daily');
    for (const { due_at, released_at } of rows) expect(released_at).toEqual(due_at);
    expect((await scheduler.texts()).filter((one) => one.kind === 'daily')).toHaveLength(2);
    expect((await scheduler.texts()).find((one) => one.kind === 'announcement')).toMatchObject({
      slot: null,
      scheduled_message_id: announcement.id,
      windows: [{ opens_at: '2027-03-06T03:30:00.000Z', closes_at: '2027-03-06T06:30:00.000Z' }],
      batch: { kind: 'scheduled', name: 'Announcement "A kind word", Mar 5, 2027, 10:00 PM EST' },
    });
  });

  test('set for the early morning waits for 08:00, and is never sent in quiet hours', async () => {
    await scheduler.receive('content.message.scheduled', {
      ...announcement,
      version: 2,
      scheduled_time: '05:00',
    });
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ category: 'announcement', scheduled_time: '22:00' }),
    );
    await subscribe(scheduler, {}, since);
    await through('2027-03-06T00:00:00Z', 36);
    expect(await announced()).toEqual(['2027-03-06 2027-03-06T13:00']);
    const [early, night] = (await scheduler.dispatches()).filter((one) => one.kind !== 'daily');
    expect([early?.state, night?.state].toSorted()).toEqual(['accepted', 'missed']);
  });

  test("skips subscribers whose first text comes later or who aren't eligible", async () => {
    await subscribe(scheduler, {}, { entitled_since: '2027-03-06T10:00:00.000Z' });
    await subscribe(scheduler, { delivery_enabled: false }, since);
    await through('2027-03-06T12:00:00Z', 12);
    expect(await announced()).toEqual([]);
  });

  test('reaches a subscriber who moves on that day once', async () => {
    const before = await subscribe(scheduler, { timezone: 'Europe/Paris' }, since);
    const after = await subscribe(scheduler, { timezone: 'Europe/Paris' }, since);
    await through('2027-03-06T00:00:00Z', 10);
    await change(scheduler, before, { timezone: 'America/New_York' });
    await through('2027-03-06T10:30:00Z', 2);
    await change(scheduler, after, { timezone: 'America/New_York' });
    await through('2027-03-06T13:00:00Z', 10);
    const of = async (user: string) =>
      (await scheduler.texts())
        .filter((one) => one.kind === 'announcement' && one.user_id === user)
        .map((one) => one.due_at.slice(11, 16));
    expect(await of(before.user_id)).toEqual(['17:30']);
    expect(await of(after.user_id)).toEqual(['11:30']);
  });

  test('reaches a subscriber who resumes texts before its time', async () => {
    const settings = await subscribe(scheduler, { is_active: false }, since);
    await scheduler.goTo('2027-03-06T17:00:00Z');
    await change(scheduler, settings, { is_active: true });
    await through('2027-03-06T17:00:00Z', 2);
    expect(await announced()).toEqual(['2027-03-06 2027-03-06T17:30']);
  });

  test('is withdrawn when moved or deleted', async () => {
    await subscribe(scheduler, {}, since);
    await scheduler.goTo('2027-03-06T17:00:00Z');
    await scheduler.receive('content.message.scheduled', {
      ...announcement,
      version: 2,
      scheduled_time: '15:00',
    });
    await scheduler.goTo('2027-03-06T18:00:00Z');
    expect(await announced()).toEqual([]);
    await scheduler.receive('content.message.deleted', { id: announcement.id, version: 3 });
    await scheduler.goTo('2027-03-06T20:00:00Z');
    expect(await announced()).toEqual([]);
  });

  test('sent manually is also additional, once, whatever its date', async () => {
    await subscribe(scheduler, {}, since);
    await scheduler.goTo('2027-03-05T15:00:00Z');
    const response = await scheduler.call(
      'POST',
      `/admin/scheduled-messages/${announcement.id}/send-now`,
      asAdmin('operator'),
    );
    expect(response.json()).toMatchObject({ total_recipients: 1 });
    await through('2027-03-05T15:00:00Z', 48);
    expect(await announced()).toEqual(['2027-03-05 2027-03-05T15:00']);
    expect((await scheduler.texts()).filter((one) => one.kind === 'daily')).toHaveLength(3);
  });

  test('follows a move while not entitled, so it is never sent at night', async () => {
    const settings = await subscribe(scheduler, { timezone: 'Europe/Paris' }, since);
    const { user_id } = settings;
    await scheduler.goTo('2027-03-06T10:00:00Z');
    const ended = { user_id, version: 2, entitled: false };
    await scheduler.receive('billing.subscription.changed', aSubscription(ended));
    await change(scheduler, settings, { timezone: 'America/New_York' });
    await scheduler.receive(
      'billing.subscription.changed',
      aSubscription({ user_id, version: 3, ...since }),
    );
    await through('2027-03-06T10:30:00Z', 10);
    expect(await announced()).toEqual(['2027-03-06 2027-03-06T17:30']);
  });

  test('is completed after the last zone', async () => {
    await subscribe(scheduler, {}, since);
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' }, since);
    const completed = () => publishedEvents(scheduler.db, 'scheduler.message.completed');
    await through('2027-03-06T03:00:00Z', 14);
    expect(await completed()).toEqual([]);
    await through('2027-03-06T17:30:00Z', 1);
    expect(await completed()).toHaveLength(1);
  });
});

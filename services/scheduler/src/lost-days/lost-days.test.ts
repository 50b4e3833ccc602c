import type { LostDay } from '@daylift/contracts/scheduler.events';
import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Release, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
const canned = {} as Record<string, unknown>;
beforeAll(async () => {
  scheduler = await openScheduler();
  Object.assign(canned, scheduler.answers);
  return () => scheduler.close();
});
beforeEach(async () => {
  Object.assign(scheduler.answers, canned);
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.settle();
  await scheduler.receive('content.template.changed', aTemplate());
});

const due = '2027-03-06T14:00:00Z';
/** March 6 ends last at noon UTC of March 7. */
const settled = '2027-03-10T12:00:00Z';

async function lostDays(): Promise<LostDay[]> {
  const events = await publishedEvents(scheduler.db, 'scheduler.days.lost');
  return events.flatMap((event) => (event.data as { days: LostDay[] }).days);
}
/** Moves to an instant in days, so the texts between are planned and accepted. */
async function advanceTo(instant: string): Promise<void> {
  for (;;) {
    await acceptAll();
    const next = scheduler.clock.now().getTime() + 12 * 3_600_000;
    if (next >= Date.parse(instant)) break;
    await scheduler.goTo(new Date(next).toISOString());
  }
  await scheduler.goTo(instant);
}
async function acceptAll(): Promise<void> {
  const open = new Set(
    (await scheduler.dispatches()).filter((one) => one.state === 'released').map(({ id }) => id),
  );
  for (const text of await scheduler.texts())
    if (open.has(text.dispatch_id)) await scheduler.answer(text, 'accepted');
}
async function released(count: number): Promise<Release[]> {
  const people = [];
  for (let index = 0; index < count; index += 1) people.push(await subscribe(scheduler));
  await scheduler.goTo(due);
  const texts = await scheduler.texts();
  return people.map(({ user_id }) => texts.find((one) => one.user_id === user_id)!);
}

test('publishes what we or a carrier lost three days after the date is over everywhere', async () => {
  const [missed, refused, unknown, failed] = await released(5);
  await scheduler.answer(missed!, 'missed', { reason: 'provider_down' });
  await scheduler.answer(refused!, 'refused', { reason: 'provider_40322' });
  await scheduler.answer(unknown!, 'unknown', { reason: 'no_answer' });
  await scheduler.answer(failed!, 'accepted');
  await advanceTo('2027-03-10T11:59:00Z');
  expect(await lostDays()).toEqual([]);
  scheduler.answers['/internal/undelivered'] = {
    has_texts: true,
    groups: [{ reason: 'carrier_40008', people: 1 }],
    people: [{ user_id: failed!.user_id, ended_at: '2027-03-06T14:01:00.000Z' }],
  };
  await scheduler.goTo(settled);
  const day = (text: Release, outcome: string, reason: string) => ({
    user_id: text.user_id,
    local_date: '2027-03-06',
    due_at: '2027-03-06T14:00:00.000Z',
    frequency: 'daily',
    outcome,
    reason,
  });
  const lost = await lostDays();
  expect(lost).toHaveLength(4);
  expect(lost).toEqual(
    expect.arrayContaining([
      day(missed!, 'missed', 'provider_down'),
      day(refused!, 'refused', 'provider_40322'),
      day(unknown!, 'unknown', 'no_answer'),
      day(failed!, 'failed', 'carrier_40008'),
    ]),
  );
  await scheduler.settle();
  expect(await lostDays()).toHaveLength(4);
});

test('a receipt before the date settles means the day was not lost', async () => {
  const [text] = await released(1);
  await scheduler.answer(text!, 'unknown', { reason: 'no_answer' });
  await advanceTo('2027-03-09T12:00:00Z');
  await scheduler.answer(text!, 'accepted');
  await advanceTo(settled);
  expect(await lostDays()).toEqual([]);
});

test("excludes the subscriber's own reasons and texts to the test number", async () => {
  const paused = await subscribe(scheduler);
  await change(scheduler, paused, { paused_until: '2027-03-20' });
  const [landline, tested] = await released(2);
  await scheduler.answer(landline!, 'refused', { reason: 'provider_40001' });
  await scheduler.answer(tested!, 'missed', { reason: 'late', is_test: true });
  await advanceTo(settled);
  expect(await lostDays()).toEqual([]);
});

test('a failed manual send is a lost day, except on another weekday of a weekly subscriber', async () => {
  const daily = await subscribe(scheduler, { delivery_hour: 20 });
  const onTheDay = await subscribe(scheduler, {
    delivery_hour: 20,
    frequency: 'weekly',
    weekday: 7,
  });
  await subscribe(scheduler, { delivery_hour: 20, frequency: 'weekly', weekday: 1 });
  await scheduler.receive(
    'content.message.scheduled',
    aMessage({ scheduled_date: '2027-03-07', category: 'daily_motivation' }),
  );
  await advanceTo('2027-03-07T15:00:00Z');
  const sentBefore = (await scheduler.texts()).length;
  await scheduler.call('POST', '/admin/send-todays-message', asAdmin('operator'), {});
  await scheduler.settle();
  const manual = (await scheduler.texts()).slice(sentBefore);
  expect(manual).toHaveLength(3);
  for (const text of manual) await scheduler.answer(text, 'missed', { reason: 'frozen' });
  await advanceTo('2027-03-11T12:00:00Z');
  expect(
    (await lostDays())
      .filter((one) => one.local_date === '2027-03-07')
      .map(({ user_id, frequency }) => [user_id, frequency])
      .toSorted(),
  ).toEqual(
    [
      [daily.user_id, 'daily'],
      [onTheDay.user_id, 'weekly'],
    ].toSorted(),
  );
});

test('publishes a large loss in events of at most 100 days, each day once', async () => {
  const { db } = scheduler;
  const ids = Array.from({ length: 250 }, () => crypto.randomUUID());
  await db
    .insertInto('dispatches')
    .values((eb) =>
      // biome-ignore format: one row for each subscriber
      ids.map((user_id) => ({ user_id, local_date: '2027-03-06', kind: 'daily', id: eb.fn<string>('dispatch_id', [
        eb.cast(eb.val(user_id), 'uuid'), eb.cast(eb.val('2027-03-06'), 'date'), eb.val('daily'), eb.val(1)]),
        state: 'missed' as const, reason: 'late', due_at: new Date(due), timezone: 'America/New_York',
        delivery_hour: 9, frequency: 'daily' as const, settled_at: new Date(due) })),
    )
    .execute();
  await advanceTo(settled);
  const events = await publishedEvents(db, 'scheduler.days.lost');
  expect(events.map((event) => (event.data as { days: LostDay[] }).days.length)).toEqual([
    100, 100, 50,
  ]);
  expect((await lostDays()).map((one) => one.user_id)).toEqual(ids.toSorted());
});

test('waits for sms-gateway, and loses no date to a long outage', async () => {
  const [text] = await released(1);
  await scheduler.answer(text!, 'missed', { reason: 'late' });
  await advanceTo('2027-03-09T12:00:00Z');
  scheduler.answers['/internal/undelivered'] = null;
  await expect(scheduler.goTo('2027-03-12T12:00:00Z')).rejects.toThrow(/right now/);
  expect(await lostDays()).toEqual([]);
  Object.assign(scheduler.answers, canned);
  await scheduler.settle();
  expect((await lostDays()).map((one) => one.local_date)).toContain('2027-03-06');
});

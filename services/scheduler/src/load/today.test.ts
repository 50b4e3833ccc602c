import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';
import { foldDueHours } from './due-hours.repository.ts';

let scheduler: Scheduler;
const viewer = asAdmin('viewer');
const today = async () => (await scheduler.call('GET', '/admin/scheduler/today', viewer)).json();
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

test('follows every change of next texts and plans, before and after folding, and equals a recount', async () => {
  const people = [];
  for (let n = 0; n < 4; n += 1) people.push(await subscribe(scheduler, { delivery_hour: 20 }));
  await foldDueHours(scheduler.db);
  await change(scheduler, people[0]!, { delivery_hour: 21 });
  await change(scheduler, people[1]!, { is_active: false });
  await scheduler.goTo('2027-03-06T23:00:00Z');
  for (const fold of [false, true]) {
    if (fold) await foldDueHours(scheduler.db);
    const recount = await sql<{ starts_at: Date; people: number; open: number }>`
      select starts_at, sum(people)::int as people, sum(open)::int as open from (
        select date_trunc('hour', next_due_at, 'UTC') as starts_at, 1 as people, 0 as open from subscribers
        where next_due_at is not null
        union all
        select date_trunc('hour', due_at, 'UTC'), 0, 1 from dispatches where state in ('planned', 'released')
      ) as due group by 1 order by 1`.execute(scheduler.db);
    const counted = await sql`
      select starts_at, sum(people)::int as people, sum(open)::int as open from (
        select starts_at, people, open_dispatches as open from due_hours union all
        select starts_at, change, open_change from due_hour_changes
      ) as parts group by 1 having sum(people) <> 0 or sum(open) <> 0 order by 1`.execute(
      scheduler.db,
    );
    expect(recount.rows.some((one) => one.people > 0)).toBe(true);
    expect(recount.rows.some((one) => one.open > 0)).toBe(true);
    expect(counted.rows).toEqual(recount.rows);
  }
});

test("counts the texts left to send in the operators' day, and those held by a manual send", async () => {
  scheduler.deps.manualSendWaitMs = 50;
  await subscribe(scheduler, { delivery_hour: 20 });
  await subscribe(scheduler, { delivery_hour: 21 });
  // After midnight in New York.
  await subscribe(scheduler, { timezone: 'America/Los_Angeles', delivery_hour: 22 });
  // 6:00 AM in Honolulu when it is noon in New York.
  const early = { timezone: 'Pacific/Honolulu', delivery_hour: 17 };
  await subscribe(scheduler, early, { entitled_since: '2027-03-04T01:00:00.000Z' });
  await scheduler.goTo('2027-03-06T16:30:00Z');
  const timezone = 'America/New_York';
  expect(await today()).toEqual({
    date: '2027-03-06',
    timezone,
    open: 3,
    held: 0,
    missed: 0,
    skipped: 0,
  });
  const message = aMessage();
  await scheduler.receive('content.message.scheduled', message);
  const path = `/admin/scheduled-messages/${message.id}/send-now`;
  await scheduler.call('POST', path, asAdmin('operator'), { hold_quiet_hours: true });
  expect(await today()).toMatchObject({ held: 1 });
});

test('counts a missed text once, whether the scheduler or sms-gateway ended it', async () => {
  await subscribe(scheduler, { delivery_hour: 9 });
  await subscribe(scheduler, { delivery_hour: 10 });
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const [text] = await scheduler.texts();
  await scheduler.answer(text!, 'missed', { reason: 'frozen' });
  expect(await today()).toMatchObject({ open: 1, missed: 1 });
  await scheduler.goTo('2027-03-06T19:30:00Z');
  expect(await today()).toMatchObject({ open: 0, missed: 2 });
});

test('counts each announcement of a person, and what the scheduler skips', async () => {
  for (const title of ['One', 'Two'])
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ title, category: 'announcement', scheduled_time: '09:00' }),
    );
  await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const texts = await scheduler.texts();
  const [daily, ...announcements] = texts.toSorted(
    (a, b) => Number(b.kind === 'daily') - Number(a.kind === 'daily'),
  );
  expect(announcements).toHaveLength(2);
  for (const text of announcements) await scheduler.answer(text, 'missed', { reason: 'late' });
  await scheduler.answer(daily!, 'skipped', { reason: 'opted_out' });
  expect(await today()).toMatchObject({ open: 0, missed: 2, skipped: 1 });
});

test('is for admins', async () => {
  const status = async (identity: Parameters<typeof scheduler.call>[2]) =>
    (await scheduler.call('GET', '/admin/scheduler/today', identity)).statusCode;
  expect(await status(null)).toBe(401);
  expect(await status(asUser())).toBe(403);
  expect(await status(viewer)).toBe(200);
});

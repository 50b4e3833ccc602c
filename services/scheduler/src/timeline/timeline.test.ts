import { randomUUID } from 'node:crypto';
import type { Schedule, SchedulePart } from '@daylift/contracts/timeline-parts.http';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

const asService = { kind: 'service', name: 'accounts' } as const;
const span = 'from=2027-03-06T00:00:00Z&until=2027-03-07T00:00:00Z';
async function readInternal<T>(path: string): Promise<T> {
  const response = await scheduler.call('GET', `/internal/${path}`, asService);
  expect(response.statusCode).toBe(200);
  return response.json<T>();
}

test('planned texts are returned newest first, with message, batch and outcome', async () => {
  const { user_id } = await subscribe(scheduler, { paused_until: '2027-03-07' });
  await subscribe(scheduler);
  const message = aMessage({ scheduled_date: '2027-03-07', title: 'Sunday' });
  await scheduler.receive('content.message.scheduled', message);
  for (const now of ['2027-03-06T14:00:00Z', '2027-03-07T14:00:00Z', '2027-03-08T12:00:00Z'])
    await scheduler.goTo(now);
  const path = `timeline/${user_id}?kinds=`;
  const { planned } = await readInternal<SchedulePart>(`${path}texts,decisions`);
  expect(planned).toMatchObject([
    { local_date: '2027-03-08', state: 'planned', delivery_hour: 9, batch: null },
    {
      local_date: '2027-03-07',
      state: 'released',
      due_at: '2027-03-07T14:00:00.000Z',
      message_title: 'Sunday',
      batch: { kind: 'scheduled' },
      released_at: '2027-03-07T14:00:00.000Z',
    },
    { local_date: '2027-03-06', state: 'skipped', reason: 'paused', message_title: null },
  ]);
  const dates = async (query: string) =>
    (await readInternal<SchedulePart>(`${path}${query}`)).planned.map((one) => one.local_date);
  expect(await dates('decisions')).toEqual(['2027-03-06']);
  expect(await dates('texts')).toEqual(['2027-03-08', '2027-03-07']);
  expect(await dates('replies')).toEqual([]);
  expect(await dates('texts,decisions&limit=1')).toEqual(['2027-03-08']);
  expect(await dates('texts,decisions&until=2027-03-07T14:00:00Z')).toEqual([
    '2027-03-07',
    '2027-03-06',
  ]);
  const day = await readInternal<SchedulePart>(`days/${user_id}/2027-03-06?${span}`);
  expect(day.planned).toMatchObject([{ local_date: '2027-03-06', reason: 'paused' }]);
});

test('a plan of years can be read from its end, page by page', async () => {
  const { user_id } = await subscribe(scheduler);
  const first = Temporal.PlainDate.from('2025-01-01');
  const dates = Array.from({ length: 700 }, (_, index) => first.add({ days: index }).toString());
  await scheduler.db
    .insertInto('dispatches')
    .values((eb) =>
      // biome-ignore format: one row for each date
      dates.map((local_date) => ({ user_id, local_date, kind: 'daily', id: eb.fn<string>('dispatch_id', [
        eb.cast(eb.val(user_id), 'uuid'), eb.cast(eb.val(local_date), 'date'), eb.val('daily'), eb.val(1)]),
        state: 'accepted' as const, due_at: new Date(`${local_date}T14:00:00Z`), timezone: 'America/New_York',
        delivery_hour: 9, frequency: 'daily' as const })),
    )
    .execute();
  const { planned } = await readInternal<SchedulePart>(`timeline/${user_id}?kinds=texts&limit=300`);
  expect(planned.map((one) => one.local_date)).toEqual(dates.toReversed().slice(0, 300));
});

test('returns the next text, or the one reason why there is none', async () => {
  const settings = await subscribe(scheduler);
  const schedule = () => readInternal<Schedule>(`schedule/${settings.user_id}`);
  expect(await schedule()).toEqual({
    next_text_at: '2027-03-06T14:00:00.000Z',
    local_date: '2027-03-06',
    timezone: 'America/New_York',
    why_none: null,
    first_local_date: '2027-03-06',
  });
  await change(scheduler, settings, { delivery_enabled: false });
  expect(await schedule()).toMatchObject({ next_text_at: null, why_none: 'delivery_disabled' });
  expect(await readInternal<Schedule>(`schedule/${randomUUID()}`)).toMatchObject({
    next_text_at: null,
    why_none: 'setting_up',
  });
});

test.each([`timeline/:id?kinds=texts`, `days/:id/2027-03-06?${span}`, 'schedule/:id'])(
  '/internal/%s is for our services only',
  async (path) => {
    const url = `/internal/${path.replace(':id', randomUUID())}`;
    expect((await scheduler.call('GET', url, null)).statusCode).toBe(401);
    for (const as of [asUser(), asAdmin('owner')])
      expect((await scheduler.call('GET', url, as)).statusCode).toBe(403);
  },
);

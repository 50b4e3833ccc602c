import type { DeliverySettings } from '@daylift/contracts/accounts.events';
import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTemplate, change, someSettings, subscribe } from '../../test/factories.ts';
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

const path = '/users/me/next-text/preview';
const preview = (user_id: string, body: object) =>
  scheduler.call('POST', path, asUser(user_id), body);
const readNextText = async (user_id: string) =>
  (await scheduler.call('GET', '/users/me/next-text', asUser(user_id))).json();
const everything = async () => {
  const db = scheduler.db;
  return [
    await db.selectFrom('subscribers').selectAll().execute(),
    await db.selectFrom('dispatches').selectAll().execute(),
    await db.selectFrom('outbox').selectAll().execute(),
  ];
};

/** What accounts would publish for these settings. */
type Saved = Partial<DeliverySettings>;
interface Case {
  what: string;
  request: NextTextPreviewRequest;
  saved: Saved;
  local_date: string | null;
  at?: string;
}

async function expectPreview(settings: DeliverySettings, one: Case): Promise<void> {
  const before = await everything();
  const response = await preview(settings.user_id, one.request);
  expect(response.statusCode).toBe(200);
  expect(await everything()).toEqual(before);
  const previewed = response.json<{ next_text_at: string | null; local_date: string | null }>();
  expect(previewed.local_date).toBe(one.local_date);
  if (one.at !== undefined) expect(previewed.next_text_at).toBe(one.at);
  await change(scheduler, settings, one.saved);
  expect(await readNextText(settings.user_id)).toEqual(previewed);
}

describe('a preview matches the plan after the settings are saved', () => {
  // Saturday, an hour before the first text, which is already planned.
  const beforeTheText: Case[] = [
    {
      what: 'today’s new hour is still ahead',
      request: { delivery_time: '11:00' },
      saved: { delivery_hour: 11 },
      local_date: '2027-03-06',
      at: '2027-03-06T16:00:00.000Z',
    },
    {
      what: 'today’s new hour is over',
      request: { delivery_time: '07:00' },
      saved: { delivery_hour: 7 },
      local_date: '2027-03-07',
      at: '2027-03-07T12:00:00.000Z',
    },
    { what: 'nothing is changed', request: {}, saved: {}, local_date: '2027-03-06' },
    {
      what: 'another zone',
      request: { timezone: 'America/Los_Angeles' },
      saved: { timezone: 'America/Los_Angeles' },
      local_date: '2027-03-06',
      at: '2027-03-06T17:00:00.000Z',
    },
    {
      what: 'a pause',
      request: { paused_until: '2027-03-09' },
      saved: { paused_until: '2027-03-09' },
      local_date: '2027-03-09',
    },
    {
      what: 'a pause, weekly on Fridays',
      request: { paused_until: '2027-03-13', delivery_frequency: 'weekly', delivery_weekday: 5 },
      saved: { paused_until: '2027-03-13', frequency: 'weekly', weekday: 5 },
      local_date: '2027-03-19',
    },
    {
      what: 'switched off',
      request: { delivery_enabled: false },
      saved: { delivery_enabled: false },
      local_date: null,
    },
  ];
  test.each(beforeTheText)("before today's text: $what", async (one) => {
    const settings = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T13:00:00Z');
    expect(await scheduler.dispatches(settings.user_id)).toHaveLength(1);
    await expectPreview(settings, one);
  });

  const afterTheText: Case[] = [
    {
      what: 'a later hour of today is tomorrow',
      request: { delivery_time: '20:00' },
      saved: { delivery_hour: 20 },
      local_date: '2027-03-07',
    },
    {
      what: 'weekly, on the weekday of tomorrow unless one is given',
      request: { delivery_frequency: 'weekly' },
      saved: { frequency: 'weekly', weekday: 7 },
      local_date: '2027-03-07',
    },
    {
      what: 'weekly, on the weekday of tomorrow in the new zone',
      request: { delivery_frequency: 'weekly', timezone: 'Pacific/Auckland' },
      saved: { frequency: 'weekly', weekday: 1, timezone: 'Pacific/Auckland' },
      local_date: '2027-03-08',
    },
    {
      what: 'weekly on the weekday of today is in a week',
      request: { delivery_frequency: 'weekly', delivery_weekday: 6 },
      saved: { frequency: 'weekly', weekday: 6 },
      local_date: '2027-03-13',
    },
  ];
  test.each(afterTheText)("after today's text: $what", async (one) => {
    const settings = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    const [release] = await scheduler.releases();
    await scheduler.answer(release!, 'accepted');
    await expectPreview(settings, one);
  });

  test('a weekly subscriber keeps their weekday and pause', async () => {
    const weekly = { frequency: 'weekly', weekday: 3, paused_until: '2027-03-15' } as const;
    const settings = await subscribe(scheduler, weekly);
    await expectPreview(settings, {
      what: 'only the hour',
      request: { delivery_time: '08:00' },
      saved: { delivery_hour: 8 },
      local_date: '2027-03-17',
    });
    const lifted = { ...settings, version: 2, delivery_hour: 8 };
    await expectPreview(lifted, {
      what: 'the pause lifted',
      request: { paused_until: null },
      saved: { paused_until: null },
      local_date: '2027-03-06',
    });
  });
});

test('a preview without a text has a reason', async () => {
  const { user_id } = await subscribe(scheduler);
  expect((await preview(user_id, { delivery_enabled: false })).json()).toEqual({
    next_text_at: null,
    local_date: null,
    timezone: 'America/New_York',
    reason: 'Your texts are turned off. You can turn them on in your settings.',
  });
  const unknown = (await preview(someSettings().user_id, { delivery_time: '08:00' })).json();
  expect(unknown).toMatchObject({
    next_text_at: null,
    reason: expect.stringContaining('setting up'),
  });
});

test('a preview rejects invalid settings and non-subscribers', async () => {
  const { user_id } = await subscribe(scheduler);
  for (const body of [
    { timezone: 'Mars/Olympus' },
    { timezone: 'EST' },
    { delivery_weekday: 2 },
    { delivery_weekday: 2, delivery_frequency: 'daily' },
    { delivery_time: '9:30' },
    { paused_until: '2027-02-30' },
    { phone: '+13125550100' },
  ])
    expect((await preview(user_id, body)).statusCode).toBe(400);
  expect((await scheduler.call('POST', path, null, {})).statusCode).toBe(401);
  expect((await scheduler.call('POST', path, asAdmin('owner'), {})).statusCode).toBe(403);
});

describe('the plan', () => {
  test('skips the paused days, and resumes on the chosen day', async () => {
    const settings = await subscribe(scheduler);
    await change(scheduler, settings, { paused_until: '2027-03-08' });
    for (const day of ['06', '07', '08']) await scheduler.goTo(`2027-03-${day}T14:30:00Z`);
    expect(
      (await scheduler.dispatches()).map(({ local_date, state, reason }) => [
        local_date,
        state,
        reason,
      ]),
    ).toEqual([
      ['2027-03-06', 'skipped', 'paused'],
      ['2027-03-07', 'skipped', 'paused'],
      ['2027-03-08', 'released', null],
    ]);
    expect((await scheduler.releases()).map(({ local_date }) => local_date)).toEqual([
      '2027-03-08',
    ]);
  });
});

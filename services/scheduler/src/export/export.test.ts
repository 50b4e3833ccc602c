import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aSubscription, aTemplate, subscribe } from '../../test/factories.ts';
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
const readExport = (id: string) => scheduler.call('GET', `/internal/export/${id}`, asService);

test('an export contains the settings and every planned date, without internal keys', async () => {
  const { user_id } = await subscribe(scheduler, { paused_until: '2027-03-07' });
  await subscribe(scheduler, { timezone: 'Asia/Tokyo' });
  for (const now of ['2027-03-06T14:00:00Z', '2027-03-07T14:00:00Z', '2027-03-08T13:00:00Z'])
    await scheduler.goTo(now);
  for (const release of await scheduler.releases())
    if (release.user_id === user_id) await scheduler.answer(release, 'accepted');
  const response = await readExport(user_id);
  expect(response.json()).toMatchObject({
    settings: {
      timezone: 'America/New_York',
      delivery_hour: 9,
      paused_until: '2027-03-07',
      consent: 'granted',
      opted_out: false,
      entitled: true,
    },
    planned_texts: [
      { local_date: '2027-03-06', kind: 'daily', state: 'skipped', reason: 'paused' },
      {
        local_date: '2027-03-07',
        kind: 'daily',
        state: 'accepted',
        due_at: '2027-03-07T14:00:00.000Z',
      },
      { local_date: '2027-03-08', kind: 'daily', state: 'planned' },
    ],
  });
  for (const key of ['batch_id', 'generation', 'template_id', 'version', 'Tokyo'])
    expect(response.body).not.toContain(key);
});

test('the export is empty for unknown and deleted users, and is for services only', async () => {
  const { user_id } = await subscribe(scheduler);
  await scheduler.receive('accounts.user.deleted', { user_id });
  for (const id of [user_id, randomUUID()]) expect((await readExport(id)).json()).toEqual({});
  expect((await readExport('me')).statusCode).toBe(400);
  const url = `/internal/export/${user_id}`;
  expect((await scheduler.call('GET', url, null)).statusCode).toBe(401);
  for (const as of [asUser(user_id), asAdmin('owner')])
    expect((await scheduler.call('GET', url, as)).statusCode).toBe(403);
});

test('only dates with a sent text are kept of a deleted user, to prevent a second one', async () => {
  const settings = await subscribe(scheduler, { timezone: 'Asia/Kathmandu', delivery_hour: 18 });
  const { user_id } = settings;
  await scheduler.goTo('2027-03-06T12:15:00Z');
  const [release] = await scheduler.texts();
  expect(release).toMatchObject({ user_id, local_date: '2027-03-06' });
  await scheduler.receive('accounts.user.deleted', { user_id });
  // Texts in flight complete, and late events restore nothing.
  await scheduler.answer(release!, 'accepted');
  await scheduler.receive('accounts.settings.changed', { ...settings, version: 7 });
  await scheduler.receive('billing.subscription.changed', aSubscription({ user_id, version: 7 }));
  await scheduler.receive('sms.recipient.opted_out', {
    user_id,
    at: '2027-03-06T13:00:00.000Z',
    source: 'keyword',
  });
  await scheduler.goTo('2027-03-08T13:00:00Z');
  expect(await scheduler.subscriber(user_id)).toMatchObject({
    is_deleted: true,
    timezone: null,
    delivery_hour: null,
    opted_out: false,
    opted_at: null,
    next_due_at: null,
  });
  expect(await scheduler.dispatches(user_id)).toMatchObject([
    { local_date: '2027-03-06', state: 'accepted', timezone: 'UTC', delivery_hour: 0 },
  ]);
  expect(await scheduler.texts()).toHaveLength(1);
});

test('a deletion that arrives first still applies', async () => {
  const user_id = randomUUID();
  await scheduler.receive('accounts.user.deleted', { user_id });
  await subscribe(scheduler, { user_id });
  expect(await scheduler.subscriber(user_id)).toMatchObject({ is_deleted: true, timezone: null });
  await scheduler.goTo('2027-03-07T15:00:00Z');
  expect(await scheduler.dispatches()).toEqual([]);
});

import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTemplate, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
const operator = asAdmin('operator');
const viewer = asAdmin('viewer');
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

const run = (body?: object) => scheduler.call('POST', '/admin/scheduler/run', operator, body);

describe('a run', () => {
  test('releases what is due now, in its own batch', async () => {
    await subscribe(scheduler);
    await subscribe(scheduler, { delivery_hour: 10 });
    scheduler.clock.set('2027-03-06T14:00:00Z');
    const response = await run();
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ scheduled: 1, batch_id: expect.any(String) });
    expect((await scheduler.releases()).map((one) => one.batch)).toEqual([
      {
        id: response.json().batch_id,
        kind: 'manual_run',
        name: 'Scheduler run, Mar 6, 2027, 9:00 AM EST',
        created_at: '2027-03-06T14:00:00.000Z',
      },
    ]);
  });

  test('is audited with its admin; a rejected run is not', async () => {
    await scheduler.call('POST', '/admin/scheduler/run', viewer);
    const readActions = async () =>
      (await publishedEvents(scheduler.db, 'scheduler.admin.acted')).map((one) => one.data);
    expect(await readActions()).toEqual([]);
    await run();
    expect(await readActions()).toEqual([
      expect.objectContaining({ action: 'scheduler.run', target: null }),
    ]);
  });

  test('has no batch if nothing is due', async () => {
    expect((await run({})).json()).toEqual({ scheduled: 0, batch_id: null });
  });

  test('is shared by ten parallel requests, with the same counts', async () => {
    await Promise.all(Array.from({ length: 130 }, () => subscribe(scheduler)));
    scheduler.clock.set('2027-03-06T14:00:00Z');
    const responses = await Promise.all(Array.from({ length: 10 }, () => run()));
    expect(responses.map((one) => one.statusCode)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map((one) => one.body)).size).toBe(1);
    expect(responses[0]?.json()).toMatchObject({ scheduled: 130 });
    expect(await scheduler.releases()).toHaveLength(130);
  });

  test('is separate a while later', async () => {
    await subscribe(scheduler);
    scheduler.clock.set('2027-03-06T14:00:00Z');
    await run();
    scheduler.clock.advance({ seconds: 11 });
    expect((await run()).json()).toEqual({ scheduled: 0, batch_id: null });
  });

  test("isn't blocked by one whose process died", async () => {
    await scheduler.db
      .insertInto('runs')
      .values({
        id: crypto.randomUUID(),
        requested_at: scheduler.clock.now(),
        lease_until: new Date(Date.now() - 1),
      })
      .execute();
    expect((await run()).json()).toEqual({ scheduled: 0, batch_id: null });
  });

  test('accepts no fields', async () => {
    const response = await run({ all: true });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the status', () => {
  const status = async () =>
    (await scheduler.call('GET', '/admin/scheduler/status', viewer)).json();

  test('shows the queue, texts due within this hour, and whether the scheduler runs', async () => {
    await subscribe(scheduler);
    await subscribe(scheduler, { delivery_hour: 10 });
    expect(await status()).toEqual({
      pending_jobs: 3,
      processing_jobs: 2,
      users_due_for_messages: 0,
      scheduler_running: false,
    });
    await scheduler.goTo('2027-03-06T13:59:00Z');
    expect(await status()).toMatchObject({ users_due_for_messages: 0, scheduler_running: true });
    scheduler.clock.set('2027-03-06T14:00:00Z');
    expect(await status()).toMatchObject({ users_due_for_messages: 1 });
    await scheduler.settle();
    expect(await status()).toMatchObject({ users_due_for_messages: 1 });
    await scheduler.answerAll();
    expect(await status()).toMatchObject({ users_due_for_messages: 0 });
    scheduler.clock.advance({ minutes: 10 });
    expect(await status()).toMatchObject({ scheduler_running: false });
  });
});

test('is for admins on the admin API, and only for our services internally', async () => {
  const service = { kind: 'service', name: 'gateway' } as const;
  const live = await scheduler.call('GET', '/internal/live', service);
  const status = await scheduler.call('GET', '/admin/scheduler/status', viewer);
  expect(live.json()).toEqual({ status: status.json() });
  expect((await scheduler.call('GET', '/internal/live', null)).statusCode).toBe(401);
  expect((await scheduler.call('GET', '/internal/live', viewer)).statusCode).toBe(403);
});

describe('the delivery slots', () => {
  test('count the subscribers of each hour', async () => {
    await subscribe(scheduler);
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' });
    await subscribe(scheduler, { delivery_hour: 20 });
    await subscribe(scheduler, { delivery_hour: 20, delivery_enabled: false });
    await subscribe(scheduler, { delivery_hour: 21 }, { entitled: false });
    const response = await scheduler.call('GET', '/admin/scheduler/delivery-slots', viewer);
    const { slots, total_users } = response.json();
    expect(total_users).toBe(3);
    expect(Object.keys(slots)).toHaveLength(24);
    expect(slots).toMatchObject({ '00': 0, '09': 2, '20': 1, '21': 0 });
  });
});

describe('Scheduler endpoints:', () => {
  test.each([
    ['POST', '/admin/scheduler/run'],
    ['GET', '/admin/scheduler/status'],
    ['GET', '/admin/scheduler/delivery-slots'],
  ] as const)('%s %s is for admins', async (method, url) => {
    expect((await scheduler.call(method, url, null)).statusCode).toBe(401);
    expect((await scheduler.call(method, url, asUser())).statusCode).toBe(403);
  });

  test('a viewer can read but not run', async () => {
    expect((await scheduler.call('POST', '/admin/scheduler/run', viewer)).statusCode).toBe(403);
    expect((await scheduler.call('GET', '/admin/scheduler/status', viewer)).statusCode).toBe(200);
  });

  test('an unknown one responds 404', async () => {
    expect((await scheduler.call('GET', '/admin/scheduler/nothing', viewer)).statusCode).toBe(404);
  });
});

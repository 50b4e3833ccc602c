import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aTemplate, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
const viewer = asAdmin('viewer');
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

const load = (query = '') => scheduler.call('GET', `/admin/scheduler/load${query}`, viewer);

test('counts each person in the hour of their next text, planned already or not', async () => {
  await subscribe(scheduler);
  await subscribe(scheduler);
  await subscribe(scheduler, { timezone: 'Asia/Kolkata', delivery_hour: 18 });
  await subscribe(scheduler, { delivery_hour: 20 });
  await scheduler.goTo('2027-03-06T12:10:00Z');
  const { hours } = (await load()).json();
  expect(hours).toHaveLength(24);
  expect(hours[0]).toEqual({ starts_at: '2027-03-06T12:00:00.000Z', people: 1 });
  expect(hours[2]).toEqual({ starts_at: '2027-03-06T14:00:00.000Z', people: 2 });
  expect(hours[13]).toEqual({ starts_at: '2027-03-07T01:00:00.000Z', people: 1 });
  expect(hours.reduce((sum: number, one: { people: number }) => sum + one.people, 0)).toBe(4);
  expect((await load('?hours=3')).json().hours).toEqual(hours.slice(0, 3));
});

test('refuses other spans and whoever is no admin', async () => {
  for (const query of ['?hours=0', '?hours=25', '?hours=x', '?hours=1.5'])
    expect((await load(query)).statusCode).toBe(400);
  const call = (identity: Parameters<typeof scheduler.call>[2]) =>
    scheduler.call('GET', '/admin/scheduler/load', identity);
  expect((await call(null)).statusCode).toBe(401);
  expect((await call(asUser())).statusCode).toBe(403);
});

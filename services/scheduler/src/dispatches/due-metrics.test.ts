import { type Figures, readMetrics } from '@daylift/testing/metrics';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aTemplate, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
let before: Figures;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  before = await readMetrics(scheduler.app);
});

async function counted(outcome: 'due' | 'missed' | 'skipped'): Promise<number> {
  const after = await readMetrics(scheduler.app);
  const of = (figures: Figures) =>
    figures(`sms_texts_${outcome}_total`, { kind: 'daily' }) ?? Number.NaN;
  return of(after) - of(before);
}
const overdue = async () => (await readMetrics(scheduler.app))('sms_texts_overdue');

test('eligible subscribers count as due, all others as skipped', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  await subscribe(scheduler);
  await subscribe(scheduler);
  await subscribe(scheduler, { delivery_enabled: false });
  await scheduler.goTo('2027-03-06T13:30:00Z');
  expect([await counted('due'), await counted('skipped')]).toEqual([0, 0]);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  expect([await counted('due'), await counted('skipped')]).toEqual([2, 1]);
});

test('a due subscriber without content counts as missed', async () => {
  await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  expect([await counted('due'), await counted('missed')]).toEqual([1, 1]);
});

test('texts due before this hour are overdue until it ends, even without planning', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  await subscribe(scheduler);
  scheduler.clock.set('2027-03-06T14:30:00Z');
  expect(await overdue()).toBe(0);
  scheduler.clock.set('2027-03-06T15:00:00Z');
  expect(await overdue()).toBe(1);
  await scheduler.settle();
  const [release] = await scheduler.releases();
  expect(await overdue()).toBe(1);
  await scheduler.answer(release!, 'accepted');
  expect(await overdue()).toBe(0);
});

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { change, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';
import { countByHour, foldDeliverySlots } from './delivery-slots.repository.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(() => scheduler.reset('2027-03-05T12:00:00Z'));

const counted = async () =>
  Object.fromEntries(
    (await countByHour(scheduler.db))
      .filter(({ subscribers }) => subscribers > 0)
      .map((one) => [one.delivery_hour, one.subscribers]),
  );

test('delivery slots follow every change of a subscriber, before and after folding', async () => {
  const people = [];
  for (let n = 0; n < 3; n += 1) people.push(await subscribe(scheduler, { delivery_hour: 9 }));
  expect(await counted()).toEqual({ 9: 3 });
  await change(scheduler, people[0]!, { delivery_hour: 20 });
  expect(await counted()).toEqual({ 9: 2, 20: 1 });
  await foldDeliverySlots(scheduler.db);
  expect(await counted()).toEqual({ 9: 2, 20: 1 });
  await change(scheduler, people[1]!, { delivery_enabled: false });
  expect(await counted()).toEqual({ 9: 1, 20: 1 });
  await scheduler.receive('accounts.user.deleted', { user_id: people[2]!.user_id });
  expect(await counted()).toEqual({ 20: 1 });
  while ((await foldDeliverySlots(scheduler.db)) > 0);
  expect(await counted()).toEqual({ 20: 1 });
});

test("delivery slots don't change with daily texts, and are folded once by concurrent workers", async () => {
  for (let n = 0; n < 5; n += 1) await subscribe(scheduler, { delivery_hour: 9 });
  await Promise.all(Array.from({ length: 4 }, () => foldDeliverySlots(scheduler.db)));
  await scheduler.goTo('2027-03-06T14:00:00Z');
  await scheduler.goTo('2027-03-07T14:00:00Z');
  const changes = await scheduler.db.selectFrom('delivery_slot_changes').selectAll().execute();
  expect(changes).toEqual([]);
  expect(await counted()).toEqual({ 9: 5 });
});

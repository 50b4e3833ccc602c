import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser, setUser, userRow } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { fetchPeriodsLoop } from './fetch-periods.loop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const period_end = '2027-04-06T15:00:00.000Z';
/** A subscriber as the previous version stored one. */
async function aSubscriberWithoutPeriod(): Promise<string> {
  const { id } = await aUser(harness);
  await setUser(harness, id, { subscription_version: 3, subscription_status: 'active' });
  return id;
}

it('stores the period of each subscription that has none, once', async () => {
  const [one, other] = [await aSubscriberWithoutPeriod(), await aSubscriberWithoutPeriod()];
  harness.parts.billing = async () => [{ user_id: one, period_end, renews: true }];
  const { run } = fetchPeriodsLoop(harness.deps);
  expect(await run()).toBe(2);
  expect(await userRow(harness, one)).toMatchObject({
    period_end: new Date(period_end),
    renews: true,
  });
  expect(await userRow(harness, other)).toMatchObject({ period_end: null, renews: false });
  expect(await run()).toBe(0);
});

it('keeps a period that arrives while an older one is fetched', async () => {
  const id = await aSubscriberWithoutPeriod();
  const newer = new Date('2027-05-06T15:00:00.000Z');
  harness.parts.billing = async () => {
    await setUser(harness, id, { subscription_version: 4, period_version: 4, period_end: newer });
    return [{ user_id: id, period_end, renews: true }];
  };
  await fetchPeriodsLoop(harness.deps).run();
  expect(await userRow(harness, id)).toMatchObject({ period_end: newer });
});

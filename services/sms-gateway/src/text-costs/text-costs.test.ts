import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDispatch, aNumber, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { countTextCosts } from './count-text-costs.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const published = () =>
  harness.published<{ date: string; counted_at: string; countries: object[] }>('sms.costs.counted');
const count = () => countTextCosts(harness.deps);

async function send(phones: string[]) {
  const dispatches = [];
  for (const phone of phones)
    dispatches.push(aDispatch(await aSubscriber(harness, { phone }), harness));
  await release(harness, dispatches);
  await harness.sendAllDue();
  for (const { dispatch_id } of dispatches) await harness.reaches(dispatch_id, 'delivered');
  return dispatches[0]!.local_date;
}

it('publishes what the texts of a day cost by country, again only after a change', async () => {
  expect(await count()).toBe(0);
  const date = await send([aNumber(), aNumber(), '+14165550123', '+447400123456']);
  const price = await findPrice();
  expect(await count()).toBe(1);
  const of = (country: string, texts: number) => ({
    country,
    texts,
    cost: (texts * price).toFixed(5),
  });
  expect(await published()).toEqual([
    {
      date,
      counted_at: expect.any(String),
      countries: [of('CA', 1), of('GB', 1), of('US', 2)],
    },
  ]);
  expect(await count()).toBe(0);
  await send([aNumber()]);
  expect(await Promise.all([count(), count(), count()]).then((all) => all.toSorted())).toEqual([
    0, 0, 1,
  ]);
  const last = (await published()).at(-1);
  expect(last).toMatchObject({ date, countries: [of('CA', 1), of('GB', 1), of('US', 3)] });
});

/** The price per text in the provider's receipts. */
async function findPrice(): Promise<number> {
  const { cost } = await harness.db
    .selectFrom('texts')
    .select('cost')
    .where('cost', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(cost);
}

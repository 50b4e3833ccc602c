import { randomUUID } from 'node:crypto';
import type { FailedDeliveries } from '@daylift/contracts/undelivered.http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAdmin, asService, pastTexts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const readUndelivered = async (query: string): Promise<FailedDeliveries> =>
  (await harness.call({ url: `/internal/undelivered?${query}`, as: asService })).json();
const failed = (reason: string, more: object = {}) => ({
  local_date: '2027-03-08',
  state: 'failed' as const,
  reason,
  ...more,
});

it("lists daily texts that carriers didn't deliver, by reason, in pages", async () => {
  const ids = Array.from({ length: 5 }, () => randomUUID()).toSorted();
  for (const id of ids) await pastTexts(harness.db, id, [failed('carrier_40008')]);
  await pastTexts(harness.db, randomUUID(), [failed('carrier_40012')]);
  await pastTexts(harness.db, randomUUID(), [failed('carrier_40008', { is_test: true })]);
  const [announcement] = await pastTexts(harness.db, randomUUID(), [
    failed('carrier_40008', { kind: 'announcement' }),
  ]);
  await pastTexts(harness.db, randomUUID(), [{ local_date: '2027-03-08' }]);
  await harness.db.insertInto('daily_counts').values({ local_date: '2027-03-08' }).execute();
  expect(await readUndelivered('date=2027-03-08')).toEqual({
    has_texts: true,
    stopped: null,
    groups: [
      { reason: 'carrier_40008', people: 5 },
      { reason: 'carrier_40012', people: 1 },
    ],
    people: [],
  });
  const page = async (after?: string) =>
    (
      await readUndelivered(
        `date=2027-03-08&reason=carrier_40008&limit=3${after ? `&after=${after}` : ''}`,
      )
    ).people.map(({ user_id }) => user_id);
  expect(await page()).toEqual(ids.slice(0, 3));
  expect(await page(ids[2])).toEqual(ids.slice(3));
  expect(await readUndelivered('date=2027-03-07')).toEqual({
    has_texts: false,
    stopped: null,
    groups: [],
    people: [],
  });
  expect((await readUndelivered('date=2027-03-08&kind=announcement')).groups).toEqual([
    { reason: 'carrier_40008', people: 1 },
  ]);
  const listed = await readUndelivered('date=2027-03-08&kind=announcement&reason=carrier_40008');
  expect(listed.people).toMatchObject([{ text_id: announcement }]);
});

it('returns whether sending is frozen, the reason of texts that wait', async () => {
  const post = (url: string, body: object) =>
    harness.call({
      method: 'POST',
      url,
      as: asAdmin('operator'),
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  await post('/admin/freeze', {});
  expect((await readUndelivered('date=2027-03-08')).stopped).toBe('frozen');
  await post('/admin/freeze/lift', { missed: 'catch_up' });
  expect((await readUndelivered('date=2027-03-08')).stopped).toBeNull();
});

it('is for services only', async () => {
  const url = '/internal/undelivered?date=2027-03-08';
  expect((await harness.call({ url, as: asAdmin('owner') })).statusCode).toBe(403);
  expect((await harness.call({ url: '/internal/undelivered', as: asService })).statusCode).toBe(
    400,
  );
});

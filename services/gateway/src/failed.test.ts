import type { AllFailedItems, FailedItems } from '@daylift/contracts/failed.http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const aFailedItem = (id: string, parked_at: string): FailedItems['items'][number] => ({
  id,
  kind: 'event',
  type: 'sms.recipient.opted_out',
  parked_at,
  tries: 5,
  error: 'broken',
  payload: null,
  user_id: null,
});
const read = async (role: 'viewer' | 'owner' = 'viewer') =>
  harness.call({ url: '/api/admin/parked', token: harness.adminToken(role).token });

it('failed events of all services are in one list, oldest first', async () => {
  const late = aFailedItem('event.late', '2027-03-09T15:00:00.000Z');
  const early = aFailedItem('event.early', '2027-03-08T15:00:00.000Z');
  harness.state.failed.set('accounts', { total: 300, items: [late] });
  harness.state.failed.set('billing', { total: 1, items: [early] });
  const response = await read();
  expect([response.statusCode, response.json<AllFailedItems>()]).toEqual([
    200,
    {
      total: 301,
      items: [
        { ...early, service: 'billing' },
        { ...late, service: 'accounts' },
      ],
      unavailable: [],
    },
  ]);
});

it('an unavailable service is named, and the others are listed', async () => {
  await harness.upstreams.billing.close();
  const { items, unavailable } = (await read()).json<AllFailedItems>();
  expect(items.map((one) => one.service)).toEqual(['accounts']);
  expect(unavailable).toEqual(['billing']);
  await harness.restart('billing');
});

it('is for admins only', async () => {
  expect((await harness.call({ url: '/api/admin/parked' })).statusCode).toBe(401);
  const { token } = harness.userToken();
  expect((await harness.call({ url: '/api/admin/parked', token })).statusCode).toBe(403);
});

import type { Recipient } from '@daylift/contracts/accounts.events';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aSubscriber } from '../../test/factories.ts';
import { asAdmin, asUser, type Call, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const lastApplied = (id: string) => harness.applied.filter(({ user_id }) => user_id === id).at(-1);

it.each<[string, (id: string) => Call, Partial<Recipient>]>([
  [
    'switching delivery off',
    (id) => ({
      method: 'POST',
      url: '/users/me/toggle-delivery?enable=false',
      as: asUser(id),
    }),
    { delivery_enabled: false },
  ],
  [
    'a pause',
    (id) => ({
      method: 'PUT',
      url: '/users/me',
      as: asUser(id),
      body: { paused_until: '2027-03-20' },
    }),
    { paused_until: '2027-03-20' },
  ],
  [
    'deleting the account',
    (id) => ({
      method: 'POST',
      url: '/users/me/delete',
      as: asUser(id),
      body: { password: 'correct horse' },
    }),
    { is_active: false },
  ],
  [
    'a pause by an operator',
    (id) => ({
      method: 'POST',
      url: `/admin/users/${id}/toggle-status`,
      as: asAdmin('operator'),
      body: { is_active: false },
    }),
    { is_active: false },
  ],
  [
    'a deletion by an owner',
    (id) => ({ method: 'DELETE', url: `/admin/users/${id}`, as: asAdmin('owner') }),
    { is_active: false },
  ],
])('%s is applied at sms-gateway before the response', async (_what, call, change) => {
  const { id } = await aSubscriber(harness);
  expect((await harness.call(call(id))).statusCode).toBe(200);
  expect(lastApplied(id)).toMatchObject({ user_id: id, version: 2, ...change });
});

it('a form that changes nothing applies nothing, and what is applied is what the event says', async () => {
  const { id } = await aSubscriber(harness);
  const save = (body: object) =>
    harness.call({ method: 'PUT', url: '/users/me', as: asUser(id), body });
  await save({ delivery_enabled: true });
  expect(lastApplied(id)).toBeUndefined();
  await save({ delivery_time: '11:00' });
  const events = await publishedEvents(harness.deps.db, 'accounts.recipient.changed');
  const newest = events.map(({ data }) => data as Recipient).filter((one) => one.user_id === id);
  expect(lastApplied(id)).toEqual(newest.at(-1));
});

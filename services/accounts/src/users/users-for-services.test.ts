import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSignup, aUser } from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';
import type { UserChange } from './users.table.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const setUser = (id: string, row: UserChange) =>
  harness.deps.db.updateTable('users').set(row).where('id', '=', id).execute();

describe('Requests from other services', () => {
  it('get names and contacts, without deleted users', async () => {
    const [one, other] = [await aUser(harness), await aUser(harness)];
    const readPeople = (ids: string[], as = asService) =>
      harness.call({ url: `/internal/people?ids=${ids.join(',')}`, as });
    const response = await readPeople([one.id, other.id, crypto.randomUUID()]);
    expect(
      response
        .json()
        .map(({ id }: { id: string }) => id)
        .toSorted(),
    ).toEqual([one.id, other.id].toSorted());
    expect(Object.keys(response.json()[0]).toSorted()).toEqual(['email', 'id', 'name', 'phone']);
    for (const ids of [[], ['x'], ['0'.repeat(36)], Array(101).fill(one.id)])
      expect((await readPeople(ids)).statusCode).toBe(400);
    expect((await readPeople([one.id], asAdmin('owner'))).statusCode).toBe(403);
  });

  it('get the number of users and active users', async () => {
    const figures = async () =>
      (await harness.call({ url: '/internal/analytics/users', as: asService })).json<{
        total: number;
        active: number;
      }>();
    const before = await figures();
    const { id } = await aUser(harness);
    await aUser(harness);
    await setUser(id, { is_active: false });
    expect(await figures()).toEqual({ total: before.total + 2, active: before.active + 1 });
    const live = await harness.call({ url: '/internal/live', as: asService });
    expect(live.json()).toMatchObject({ users: await figures() });
  });

  it('get a signup before its event, with stable hashes', async () => {
    const form = aSignup({ plan: 'yearly' });
    const user = await aUser(harness, form);
    const response = await harness.call({ url: `/internal/signups/${user.id}`, as: asService });
    expect(response.statusCode).toBe(200);
    const published = (await publishedEvents(harness.deps.db, 'accounts.user.registered')).at(-1);
    expect(response.json()).toEqual(published?.data);
    expect(response.json()).toMatchObject({ user_id: user.id, plan: 'yearly', email: form.email });
  });

  it('get no other signups', async () => {
    const readSignup = (id: string) =>
      harness.call({ url: `/internal/signups/${id}`, as: asService });
    expect((await readSignup('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
    for (const id of ['1', '../users', 'x'.repeat(200)])
      expect([400, 404]).toContain((await readSignup(encodeURIComponent(id))).statusCode);
  });

  it.each([
    '/internal/analytics/users',
    '/internal/live',
    '/internal/signups/00000000-0000-4000-8000-000000000000',
  ])('to %s require a service identity', async (url) => {
    expect((await harness.call({ url })).statusCode).toBe(401);
    expect((await harness.call({ url, as: asUser('x') })).statusCode).toBe(403);
    expect((await harness.call({ url, as: asAdmin('owner') })).statusCode).toBe(403);
  });

  it('get the same 404 for missing data', async () => {
    const response = await harness.call({ url: '/nothing/here' });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'NOT_FOUND', detail: expect.any(String) });
  });
});

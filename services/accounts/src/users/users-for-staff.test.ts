import type { AdminUser } from '@daylift/contracts/accounts.http';
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

describe('GET /admin/users', () => {
  const list = (query = '', role: 'viewer' | 'owner' = 'owner') =>
    harness.call({ url: `/admin/users${query}`, as: asAdmin(role) });

  it('lists the newest first, in pages, with the total beside', async () => {
    const { db } = harness.deps;
    harness.clock.advance({ hours: 1 });
    const older = await aUser(harness);
    harness.clock.advance({ hours: 1 });
    const newer = await aUser(harness);
    const { total } = await db
      .selectFrom('users')
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const first = await list('?limit=1');
    const second = await list('?limit=1&offset=1');
    expect(first.json<AdminUser[]>().map((user) => user.id)).toEqual([newer.id]);
    expect(second.json<AdminUser[]>().map((user) => user.id)).toEqual([older.id]);
    expect(first.headers['x-total-count']).toBe(String(total));
    expect(first.json<AdminUser[]>()[0]).toEqual({
      id: newer.id,
      name: 'Ada Lovelace',
      email: newer.email,
      phone: newer.phone,
      is_active: true,
      delivery_enabled: true,
      consent: 'granted',
      opted_out: false,
      timezone: 'America/Chicago',
      delivery_time: '09:00',
      delivery_frequency: 'daily',
      subscription_status: 'pending',
      plan: 'monthly',
      last_message_sent: null,
      created_at: harness.clock.now().toISOString(),
    });
  });

  it('finds by name, e-mail and number; signs of patterns are only signs', async () => {
    const user = await aUser(harness, { name: 'Zoé 100%_Quist', phone: '+442079460958' });
    for (const search of ['zoé', '100%_q', user.email.slice(0, 6), '20 7946', '+442079460958']) {
      const found = (await list(`?search=${encodeURIComponent(search)}`)).json<AdminUser[]>();
      expect(found.map((one) => one.id)).toContain(user.id);
    }
    for (const search of ["' or 1=1--", '%%', '___', '\\'])
      expect((await list(`?search=${encodeURIComponent(search)}`)).json()).toEqual([]);
  });

  it('shows only enough of a number to somebody who may only look', async () => {
    const user = await aUser(harness, { phone: '+13125550777' });
    const [row] = (await list(`?search=${user.email}`, 'viewer')).json<AdminUser[]>();
    expect(row?.phone).toBe('+1••••••••77');
    for (const digits of ['5550777', '%2B13125550777'])
      expect((await list(`?search=${digits}`, 'viewer')).json()).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=501',
    'limit=NaN',
    'limit=10;drop',
    'limit=1&limit=2',
    'offset=-1',
    'offset=x',
    'search=%00',
    `search=${'a'.repeat(101)}`,
    'search=a&search=b',
  ])('refuses ?%s', async (query) => expect((await list(`?${query}`)).statusCode).toBe(400));

  it('is for admins only', async () => {
    expect((await harness.call({ url: '/admin/users' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/admin/users', as: asUser('x') })).statusCode).toBe(403);
  });
});

describe('What other services ask', () => {
  it('counts users and those who are active', async () => {
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

  it('tells billing of a signup before the event has arrived, with hashes that stay the same', async () => {
    const form = aSignup({ plan: 'yearly' });
    const user = await aUser(harness, form);
    const answer = await harness.call({ url: `/internal/signups/${user.id}`, as: asService });
    expect(answer.statusCode).toBe(200);
    const told = (await publishedEvents(harness.deps.db, 'accounts.user.registered')).at(-1);
    expect(answer.json()).toEqual(told?.data);
    expect(answer.json()).toMatchObject({ user_id: user.id, plan: 'yearly', email: form.email });
  });

  it('knows no other signups', async () => {
    const ask = (id: string) => harness.call({ url: `/internal/signups/${id}`, as: asService });
    expect((await ask('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
    for (const id of ['1', '../users', 'x'.repeat(200)])
      expect([400, 404]).toContain((await ask(encodeURIComponent(id))).statusCode);
  });

  it.each([
    '/internal/analytics/users',
    '/internal/live',
    '/internal/signups/00000000-0000-4000-8000-000000000000',
  ])('%s is for our own services only', async (url) => {
    expect((await harness.call({ url })).statusCode).toBe(401);
    expect((await harness.call({ url, as: asUser('x') })).statusCode).toBe(403);
    expect((await harness.call({ url, as: asAdmin('owner') })).statusCode).toBe(403);
  });

  it('answers 404 in the same form where there is nothing', async () => {
    const answer = await harness.call({ url: '/nothing/here' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', detail: expect.any(String) });
  });
});

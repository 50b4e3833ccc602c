import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSubscriber,
  aUser,
  codeOf,
  linkTokens,
  provenPhone,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const operator = asAdmin('operator');
const change = (id: string, body: object, as = operator) =>
  harness.call({ method: 'PUT', url: `/admin/users/${id}`, body, as });
const actionsOn = async (target: string) =>
  harness.deps.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('target', '=', target)
    .orderBy('position')
    .execute();

describe('PUT /admin/users/:id', () => {
  it("changes settings by the subscriber's own rules, and records who did it", async () => {
    const { id } = await aUser(harness);
    const response = await change(id, {
      name: 'Grace Hopper',
      timezone: 'Europe/London',
      delivery_time: '18:00',
      delivery_frequency: 'weekly',
    });
    expect(response.json()).toMatchObject({
      name: 'Grace Hopper',
      timezone: 'Europe/London',
      delivery_time: '18:00',
      delivery_frequency: 'weekly',
    });
    expect(await userRow(harness, id)).toMatchObject({ weekday: 7 });
    expect(await actionsOn(id)).toMatchObject([
      {
        action: 'user.changed',
        details: { timezone: 'America/Chicago to Europe/London', name: 'changed' },
      },
    ]);
    const changes = await harness.deps.db
      .selectFrom('user_changes')
      .selectAll()
      .where('user_id', '=', id)
      .execute();
    expect(new Set(changes.map((one) => one.actor))).toEqual(new Set(['admin']));
    await change(id, { timezone: 'Europe/London' });
    expect(await actionsOn(id)).toHaveLength(1);
  });

  it('requires proof of a new number but no password, and notifies the old channel', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    expect((await change(user.id, { phone: '(202) 555-0143' })).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      phone: user.phone,
      pending_phone: '+12025550143',
    });
    const mails = await harness.mails(user.email);
    const mail = mails.find(({ subject }) => subject === 'Your phone number is being changed');
    expect(mail?.text).toContain('signed in or through our support team');
    const requested = await publishedEvents(harness.deps.db, 'accounts.code.requested');
    expect(requested.at(-1)?.data).toMatchObject({ user_id: user.id, purpose: 'revert' });
    expect(JSON.stringify(await actionsOn(user.id))).not.toContain('0143');
  });

  it('emails the new address a link that proves it', async () => {
    const user = await aUser(harness);
    const email = 'grace.new@example.com';
    expect((await change(user.id, { email })).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ email, email_proven_at: null });
    expect(await linkTokens(harness, email)).toHaveLength(1);
  });

  it.each([
    [{ name: 'www.spam.example' }, 'INVALID_NAME'],
    [{ phone: '12345' }, 'INVALID_PHONE'],
    [{ timezone: 'EST' }, 'UNKNOWN_TIME_ZONE'],
    [{ delivery_weekday: 3 }, 'WEEKDAY_WITHOUT_WEEKLY'],
    [{ delivery_time: '09:30' }, 'INVALID_INPUT'],
    [{ is_active: true }, 'INVALID_INPUT'],
  ])('rejects %j', async (body, code) => {
    const { id } = await aUser(harness);
    const response = await change(id, body);
    expect([response.statusCode, codeOf(response)]).toEqual([400, code]);
    expect((await userRow(harness, id)).version).toBe(1);
  });

  it('requires an operator and an existing subscriber', async () => {
    const { id } = await aUser(harness);
    const body = { delivery_time: '10:00' };
    expect((await change(id, body, asAdmin('viewer'))).statusCode).toBe(403);
    expect((await change(id, body, asUser(id) as never)).statusCode).toBe(403);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await change(unknown, body)).statusCode).toBe(404);
  });
});

describe('POST /admin/users/status', () => {
  const set = (ids: string[], is_active: boolean, as = operator) =>
    harness.call({ method: 'POST', url: '/admin/users/status', body: { ids, is_active }, as });

  it('pauses and audits each subscriber once, even when repeated', async () => {
    const people = [await aUser(harness), await aUser(harness), await aUser(harness)];
    const ids = people.map(({ id }) => id);
    const [first = ''] = ids;
    await set([first], false);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await set([...ids, unknown], false)).json()).toEqual({
      changed: 2,
      unchanged: 1,
      missing: 1,
    });
    expect((await set(ids, false)).json()).toEqual({ changed: 0, unchanged: 3, missing: 0 });
    for (const id of ids) {
      expect((await userRow(harness, id)).is_active).toBe(false);
      expect((await actionsOn(id)).map(({ action }) => action)).toEqual(['user.paused']);
    }
    expect((await set(ids, true, asAdmin('viewer'))).statusCode).toBe(403);
    expect((await set(ids, true)).json()).toMatchObject({ changed: 3 });
  });
});

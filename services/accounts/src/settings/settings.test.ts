import type { Me, UpdateMeRequest } from '@daylift/contracts/accounts.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, aUser, userRow } from '../../test/factories.ts';
import {
  asAdmin,
  asService,
  asUser,
  createHarness,
  type Harness,
  testStart,
} from '../../test/harness.ts';
import type { UserChange } from '../users/users.table.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const me = (id: string) => harness.call({ url: '/users/me', as: asUser(id) });
const change = (id: string, body: object) =>
  harness.call({
    method: 'PUT',
    url: '/users/me',
    as: asUser(id),
    body: { ...('phone' in body && { current_password: 'correct horse' }), ...body },
  });
const codeOf = (response: { json(): unknown }) => (response.json() as { code: string }).code;
const setUser = (id: string, row: UserChange) =>
  harness.deps.db.updateTable('users').set(row).where('id', '=', id).execute();
const publishedFor = async (id: string) =>
  (await publishedEvents(harness.deps.db))
    .filter((event) => (event.data as { user_id: string }).user_id === id)
    .slice(4);

describe('GET /users/me', () => {
  it("returns the subscriber's data without secrets", async () => {
    const user = await aUser(harness, { delivery_time: '07:00' });
    const response = await me(user.id);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: user.id,
      name: 'Ada Lovelace',
      email: user.email,
      phone: user.phone,
      timezone: 'America/Chicago',
      delivery_time: '07:00',
      delivery_enabled: true,
      delivery_frequency: 'daily',
      delivery_weekday: null,
      paused_until: null,
      consent: 'granted',
      email_proven: false,
      phone_proven: false,
      pending_email: null,
      pending_phone: null,
      opted_out: false,
      unreachable: null,
      referral_count: 0,
      referral_code: null,
      referral_url: null,
      created_at: '2027-03-06T15:00:00.000Z',
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('requires a valid subscriber token', async () => {
    const { id } = await aUser(harness);
    expect((await harness.call({ url: '/users/me' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/users/me', as: asAdmin('owner') })).statusCode).toBe(403);
    expect((await harness.call({ url: '/users/me', as: asService })).statusCode).toBe(403);
    expect((await harness.call({ url: '/users/me', as: asUser(id, 1) })).statusCode).toBe(401);
    expect((await me('00000000-0000-4000-8000-000000000000')).statusCode).toBe(401);
    await setUser(id, { is_active: false });
    expect((await me(id)).statusCode).toBe(401);
  });

  it('rejects a forged identity or one for another service', async () => {
    const { id } = await aUser(harness);
    const claims = Buffer.from(JSON.stringify({ kind: 'user', user_id: id })).toString('base64url');
    const forged = [
      'x',
      id,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`,
      `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${claims}.AAAA`,
    ];
    for (const header of forged) {
      const response = await harness.call({
        url: '/users/me',
        headers: { 'x-daylift-identity': header },
      });
      expect(response.statusCode).toBe(401);
    }
  });
});

describe('PUT /users/me', () => {
  it('changes the given fields, returns everything, and publishes it once', async () => {
    const user = await aUser(harness);
    const response = await change(user.id, {
      phone: user.phone,
      timezone: 'Europe/London',
      delivery_time: '18:00',
      delivery_enabled: false,
      delivery_frequency: 'daily',
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      timezone: 'Europe/London',
      delivery_time: '18:00',
      delivery_enabled: false,
      consent: 'granted',
    });
    const published = await publishedFor(user.id);
    expect(published.map((event) => event.type)).toEqual([
      'accounts.settings.changed',
      'accounts.recipient.changed',
    ]);
    for (const event of published)
      expect(event.data).toMatchObject({
        version: 2,
        timezone: 'Europe/London',
        delivery_hour: 18,
        delivery_enabled: false,
      });
    expect(JSON.stringify(published[0])).not.toContain(user.phone);
  });

  it('publishes nothing and keeps the version when nothing changes', async () => {
    const user = await aUser(harness);
    expect((await change(user.id, { delivery_time: '09:00', phone: user.phone })).statusCode).toBe(
      200,
    );
    expect(await publishedFor(user.id)).toEqual([]);
    expect((await userRow(harness, user.id)).version).toBe(1);
  });

  it('changes the name everywhere, and rejects one that looks like a link', async () => {
    const user = await aUser(harness);
    expect((await change(user.id, { name: ' Grace  Morning ' })).json()).toMatchObject({
      name: 'Grace Morning',
    });
    const published = await publishedFor(user.id);
    expect(published.map(({ type, data }) => [type, data])).toEqual([
      ['accounts.settings.changed', expect.anything()],
      ['accounts.recipient.changed', expect.objectContaining({ first_name: 'Grace' })],
      ['accounts.contact.changed', expect.objectContaining({ name: 'Grace Morning', version: 2 })],
    ]);
    const rejected = await change(user.id, { name: 'Visit evil.com' });
    expect([rejected.statusCode, codeOf(rejected)]).toEqual([400, 'INVALID_NAME']);
  });

  it('gives each of ten concurrent changes its own version', async () => {
    const user = await aUser(harness);
    await Promise.all(
      Array.from({ length: 10 }, (_, hour) =>
        change(user.id, { delivery_time: `${10 + hour}:00` }),
      ),
    );
    const versions = (await publishedFor(user.id))
      .filter((event) => event.type === 'accounts.settings.changed')
      .map((event) => (event.data as { version: number }).version);
    expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('requires consent again for a new number', async () => {
    const user = await aUser(harness);
    const response = await change(user.id, { phone: '(202) 555-0143' });
    expect(response.json()).toMatchObject({ phone: '+12025550143', consent: 'pending' });
    expect(await userRow(harness, user.id)).toMatchObject({ version: 2, phone_since_version: 2 });
    const published = (await publishedFor(user.id)).find(
      (one) => one.type === 'accounts.recipient.changed',
    );
    expect(published?.data).toMatchObject({
      phone: '+12025550143',
      consent: 'pending',
      version: 2,
    });
  });

  it('emails the owner once about a new number, because a thief may have set it', async () => {
    const user = await aSubscriber(harness);
    await change(user.id, { phone: '+12025550147' });
    await change(user.id, { phone: '+1 202 555 0147', delivery_time: '10:00' });
    const mails = await harness.mails(user.email);
    expect(mails.map((mail) => mail.subject)).toEqual(['Your phone number is being changed']);
    expect(mails[0]?.text).not.toContain('0147');
  });

  it("rejects a number that can't get texts", async () => {
    const user = await aUser(harness);
    expect((await change(user.id, { phone: '+1 900 555 0123' })).statusCode).toBe(400);
    expect(await userRow(harness, user.id)).toMatchObject({ phone: user.phone, version: 1 });
  });

  it('texts at most five new numbers per day and subscriber', async () => {
    const { id } = await aUser(harness);
    const numbered = (last: number) => change(id, { phone: `+1347555010${last}` });
    for (let last = 0; last < 5; last += 1) expect((await numbered(last)).statusCode).toBe(200);
    const sixth = await numbered(5);
    expect([sixth.statusCode, codeOf(sixth)]).toEqual([429, 'TOO_MANY_PHONE_CHANGES']);
    expect((await change(id, { delivery_time: '10:00' })).statusCode).toBe(200);
    harness.clock.advance({ hours: 25 });
    expect((await numbered(5)).statusCode).toBe(200);
    harness.clock.set(testStart);
  });

  it("switches to weekly on tomorrow's weekday by default, and back", async () => {
    const { id } = await aUser(harness);
    const weekly = await change(id, { delivery_frequency: 'weekly' });
    expect(weekly.json()).toMatchObject({ delivery_frequency: 'weekly', delivery_weekday: 7 });
    expect((await change(id, { delivery_weekday: 3 })).json()).toMatchObject({
      delivery_weekday: 3,
    });
    expect((await change(id, { delivery_frequency: 'weekly' })).json<Me>().delivery_weekday).toBe(
      3,
    );
    const daily = await change(id, { delivery_frequency: 'daily' });
    expect(daily.json()).toMatchObject({ delivery_frequency: 'daily', delivery_weekday: null });
    const chosen = await change(id, { delivery_frequency: 'weekly', delivery_weekday: 2 });
    expect(chosen.json()).toMatchObject({ delivery_weekday: 2 });
  });

  it('rejects a weekday for daily texts', async () => {
    const { id } = await aUser(harness);
    const response = await change(id, { delivery_weekday: 3 });
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'WEEKDAY_WITHOUT_WEEKLY']);
  });

  it("doesn't turn texts on after a STOP, but allows other changes", async () => {
    const { id } = await aUser(harness);
    await setUser(id, { opted_out: true });
    for (const enabled of [true, false]) {
      await setUser(id, { delivery_enabled: enabled });
      const response = await change(id, { delivery_enabled: true });
      expect(response.statusCode).toBe(409);
      expect(response.json()).toMatchObject({
        detail: 'You stopped texts by replying STOP. Text START to our number to get them again.',
        code: 'OPTED_OUT',
      });
    }
    expect((await change(id, { delivery_time: '11:00' })).statusCode).toBe(200);
    await setUser(id, { delivery_enabled: true });
    const form = { delivery_enabled: true, timezone: 'Europe/Paris', delivery_time: '12:00' };
    expect((await change(id, form)).statusCode).toBe(200);
  });

  const wrong: [keyof UpdateMeRequest | string, unknown[]][] = [
    ['phone', [null, '', 7, [], '911', 'abc', '+55 11 91234 5678', '\u0000\u0000\u0000']],
    ['timezone', [null, '', 'EST', '../etc/passwd', '+02:00', 7]],
    ['delivery_time', [null, '', '24:00', '9:00', '09:30', '-1:00', 9]],
    ['delivery_enabled', [null, 'true', 1, 'no']],
    ['delivery_frequency', [null, '', 'monthly', 7]],
    ['delivery_weekday', [null, 0, 8, 1.5, '1', 1e9]],
    ['is_active', [true]],
    ['consent', ['granted']],
    ['opted_out', [false]],
    ['email', ['new@example.com']],
  ];
  it.each(wrong)('rejects a wrong %s', async (field, values) => {
    const { id } = await aUser(harness);
    for (const value of values) {
      const response = await change(id, { [field]: value });
      expect([field, value, response.statusCode]).toEqual([field, value, 400]);
      expect(response.json<{ detail: string }>().detail.length).toBeGreaterThan(10);
    }
    expect((await change(id, {})).statusCode).toBe(400);
    expect((await userRow(harness, id)).version).toBe(1);
  });

  it('is for that subscriber only', async () => {
    const { id } = await aUser(harness);
    const put = (as?: ReturnType<typeof asUser>) =>
      harness.call({
        method: 'PUT',
        url: '/users/me',
        body: { delivery_time: '10:00' },
        ...(as && { as }),
      });
    expect((await put()).statusCode).toBe(401);
    expect((await put(asAdmin('owner'))).statusCode).toBe(403);
    expect((await put(asUser(id, 1))).statusCode).toBe(401);
    expect((await userRow(harness, id)).version).toBe(1);
  });
});

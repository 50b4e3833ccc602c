import { randomUUID } from 'node:crypto';
import type { SignupFacts, SignupResponse } from '@daylift/contracts/accounts.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  aSignup,
  aUser,
  codeOf,
  provenEmail,
  provenPhone,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { createHarness, type Harness, testStart } from '../../test/harness.ts';
import { createPasswordHashing } from '../sessions/password-hashing.ts';
import { isProvenByAnyone } from '../users/users.repository.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const signUp = (body: unknown, headers?: Record<string, string>) =>
  harness.call({ method: 'POST', url: '/subscriptions', body, ...(headers && { headers }) });
const eventsOf = async (userId: string) =>
  (await publishedEvents(harness.deps.db)).filter(
    (event) => (event.data as { user_id: string }).user_id === userId,
  );

describe('POST /subscriptions', () => {
  it('creates an account and returns it without passwords', async () => {
    const form = aSignup({ name: '  Ada   Lovelace ', email: 'Ada.Mixed@Example.COM' });
    const response = await signUp(form);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Ada Lovelace',
      email: 'ada.mixed@example.com',
      phone: form.phone,
      timezone: 'America/Chicago',
      delivery_time: '09:00',
      delivery_frequency: 'daily',
      plan: 'monthly',
      sms_consent: true,
    });
    expect(response.headers['cache-control']).toBe('no-store');
    const row = await userRow(harness, response.json<SignupResponse>().id);
    expect(row).toMatchObject({ version: 1, consent: 'granted', subscription_status: 'pending' });
    const inProduction = await (await createPasswordHashing()).hash('a password');
    expect(inProduction).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(row.password_hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain('correct horse');
  });

  it('publishes it once; only sms-gateway gets the number', async () => {
    const user = await aUser(harness);
    const events = await eventsOf(user.id);
    expect(events.map((event) => event.type)).toEqual([
      'accounts.user.registered',
      'accounts.settings.changed',
      'accounts.recipient.changed',
      'accounts.contact.changed',
    ]);
    const [registered, settings, recipient, contact] = events;
    expect(contact?.data).toMatchObject({ email_proven: false, phone_proven: false });
    expect(settings?.data).toEqual({
      user_id: user.id,
      version: 1,
      timezone: 'America/Chicago',
      delivery_hour: 9,
      frequency: 'daily',
      weekday: null,
      is_active: true,
      delivery_enabled: true,
      paused_until: null,
      consent: 'granted',
      registered_at: new Date(testStart).toISOString(),
    });
    expect(recipient?.data).toMatchObject({ phone: user.phone, first_name: 'Ada' });
    expect(recipient?.data).toMatchObject({ phone_proven: false, pending_phone: null });
    expect(JSON.stringify([registered, settings, contact])).not.toContain(user.phone);
    expect(registered?.data).toMatchObject({ email: user.email, plan: 'monthly' });
    expect(registered?.data).toHaveProperty('phone_hash', expect.stringMatching(/^[0-9a-f]{64}$/));
    expect(JSON.stringify(events)).not.toContain('argon2');
  });

  it.each(['Your_account_is_locked', 'YOU-WON-$500', 'ev\u200Dil', 'A'.repeat(31), 'Gift🎁'])(
    'greets %j without a name, because the name could be a message',
    async (name) => {
      const user = await aUser(harness, { name });
      const events = await eventsOf(user.id);
      const recipient = events.find(({ type }) => type === 'accounts.recipient.changed');
      expect(recipient?.data).toMatchObject({ first_name: '' });
    },
  );

  it('stores the proof of consent: wording, number hash, time, address and browser', async () => {
    const response = await signUp(aSignup(), {
      'x-client-ip': '203.0.113.9',
      'user-agent': 'Test/1.0',
    });
    const { id } = response.json<SignupResponse>();
    const proof = await harness.deps.db
      .selectFrom('consents')
      .selectAll()
      .where('user_id', '=', id)
      .execute();
    expect(proof).toEqual([
      expect.objectContaining({
        source: 'signup',
        wording_version: 'signup-1',
        ip: '203.0.113.9',
        user_agent: 'Test/1.0',
        given_at: new Date(testStart),
        timezone: 'America/Chicago',
        delivery_hour: 9,
      }),
    ]);
  });

  it('records no consent without the ticked box: the account waits', async () => {
    const form = aSignup();
    delete form.sms_consent;
    const { id } = (await signUp(form)).json<SignupResponse>();
    expect((await userRow(harness, id)).consent).toBe('pending');
    const proofs = await harness.deps.db
      .selectFrom('consents')
      .select('id')
      .where('user_id', '=', id)
      .execute();
    expect(proofs).toEqual([]);
  });

  it("uses the weekday after the signup, in the subscriber's time zone, for weekly subscribers", async () => {
    // 15:00 UTC on a Saturday is Sunday already in Tokyo, so tomorrow is Monday there.
    const chicago = await aUser(harness, { delivery_frequency: 'weekly' });
    const tokyo = await aUser(harness, { delivery_frequency: 'weekly', timezone: 'Asia/Tokyo' });
    expect((await userRow(harness, chicago.id)).weekday).toBe(7);
    expect((await userRow(harness, tokyo.id)).weekday).toBe(1);
  });

  it('stores the referrer, and ignores an unknown code', async () => {
    const referrer = await aUser(harness);
    await harness.deps.db
      .updateTable('users')
      .set({ referral_code: 'SUNRISE1' })
      .where('id', '=', referrer.id)
      .execute();
    const friend = await aUser(harness, { ref: 'SUNRISE1' });
    const stranger = await aUser(harness, { ref: 'NOSUCH' });
    expect((await userRow(harness, friend.id)).referrer_user_id).toBe(referrer.id);
    expect((await userRow(harness, stranger.id)).referrer_user_id).toBeNull();
    const [registered] = await eventsOf(friend.id);
    expect(registered?.data).toMatchObject({ referrer_user_id: referrer.id });
  });

  it('keeps the first known referrer of a repeated signup, and ignores its own code', async () => {
    const [referrer, other] = [await aUser(harness), await aUser(harness)];
    const form = aSignup();
    const { id } = (await signUp(form)).json<SignupResponse>();
    await setUser(harness, referrer.id, { referral_code: 'SUNRISE2' });
    await setUser(harness, other.id, { referral_code: 'SUNRISE3' });
    await setUser(harness, id, { referral_code: 'SUNRISE4' });
    for (const ref of ['SUNRISE4', 'SUNRISE2', 'SUNRISE3', 'SUNRISE2'])
      expect((await signUp({ ...form, ref })).json<SignupResponse>().id).toBe(id);
    expect((await userRow(harness, id)).referrer_user_id).toBe(referrer.id);
    const registered = (await eventsOf(id)).filter(
      ({ type }) => type === 'accounts.user.registered',
    );
    expect(registered.map(({ data }) => data)).toEqual([
      expect.objectContaining({ referrer_user_id: null }),
      expect.objectContaining({ referrer_user_id: referrer.id }),
    ]);
  });

  it('drops a referrer that is the account itself when the signup is repeated', async () => {
    const referrer = await aUser(harness);
    await setUser(harness, referrer.id, { referral_code: 'SUNRISE5' });
    const form = aSignup();
    const { id } = (await signUp(form)).json<SignupResponse>();
    for (const [ref, expected] of [
      ['', null],
      ['SUNRISE5', referrer.id],
    ] as const) {
      await setUser(harness, id, { referrer_user_id: id });
      await signUp({ ...form, ref });
      expect((await userRow(harness, id)).referrer_user_id).toBe(expected);
    }
  });

  it('treats five formats of a number as the same account', async () => {
    const { id, phone } = await aUser(harness, { phone: '+1 (415) 555-0199' });
    await setUser(harness, id, provenPhone());
    expect(phone).toBe('+14155550199');
    const spellings = ['(415) 555-0199', '415.555.0199', '14155550199', '0014155550199'];
    for (const spelling of spellings) {
      const response = await signUp(aSignup({ phone: spelling }));
      expect([spelling, response.statusCode]).toEqual([spelling, 409]);
    }
  });

  it('accepts reserved example numbers, and all supported countries', async () => {
    for (const phone of ['+15550101234', '+44 7700 900123', '+81 90-1234-5678', '+52 55 1234 5678'])
      expect((await signUp(aSignup({ phone }))).statusCode).toBe(201);
  });

  it.each([
    ['the email in another case', { email: 'TWIN@example.com' }],
    ['the phone', { phone: '(646) 555-0142' }],
  ])('rejects a second account with %s', async (_what, same) => {
    const first = aSignup({ email: 'twin@example.com', phone: '+16465550142' });
    if (!(await isProvenByAnyone(harness.deps.db, first))) {
      const { id } = await aUser(harness, first);
      await setUser(harness, id, { ...provenPhone(), ...provenEmail() });
    }
    const response = await signUp(aSignup(same));
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({
      detail: 'An account with this email or phone already exists. Please sign in.',
      code: 'ACCOUNT_EXISTS',
    });
  });

  it('accepts addresses that only look like ours, and a public domain where we have a mailbox', async () => {
    const { product } = harness.deps;
    const { supportEmail } = product;
    onTestFinished(() => void Object.assign(product, { supportEmail }));
    product.supportEmail = 'daylift.help@gmail.com';
    for (const email of ['postmaster@notdaylift.test', 'daylift.test@example.com', 'me@gmail.com'])
      expect((await signUp(aSignup({ email }))).statusCode).toBe(201);
    const ownAddress = await signUp(aSignup({ email: 'dayliftHelp+1@gmail.com' }));
    expect(codeOf(ownAddress)).toBe('ADDRESS_NOT_ALLOWED');
  });

  it.each([
    'support@daylift.test',
    'Hello@Daylift.test',
    'support+offers@daylift.test',
    'postmaster@daylift.test',
    'anyone@mail.daylift.test',
    'vera@operators.test',
  ])('rejects %s, our own addresses', async (email) => {
    await harness.deps.db
      .insertInto('admins')
      .values({
        id: randomUUID(),
        username: email,
        email: 'vera@operators.test',
        role: 'viewer',
        password_hash: null,
        created_at: harness.clock.now(),
      })
      .execute();
    const response = await signUp(aSignup({ email }));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      detail: 'This is one of our own email addresses. Please use yours.',
      code: 'ADDRESS_NOT_ALLOWED',
    });
  });

  it.each([
    'Pay 1.99 now: https://parcel.example',
    'Your parcel evil.com',
    'evil\u3002com',
    'e\u00advil.c\u200bom',
    'call me at me@evil',
    'ｅｖｉｌ．ｃｏｍ',
    'either/or',
    'either\u2044or',
    'either\u2215or',
    'evil\u00b7com',
    'evil\ua4f8com',
    'evil\u06d4com',
    'evil\u0660com',
    'evil\u0701com',
    'Ada at 1.2.3.4',
    'evil%2ecom',
    '{{first_name}}',
    '=?utf-8?q?evil?=',
    'Warning: locked',
    'evil\u0589com',
    'Call8005551234',
    'Call\u2800now',
    '(800)555-1234!!!',
  ])('rejects a name that looks like a link: %s', async (name) => {
    const response = await signUp(aSignup({ name }));
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      {
        detail: "Names can't contain web addresses, phone numbers or the characters : / @.",
        code: 'INVALID_NAME',
      },
    ]);
  });

  it.each([
    "Conan O'Brien",
    'J.R.R. Tolkien',
    'Martin Luther King, Jr.',
    'Søren Ågård-Lund',
    'Dr. 王小明',
    'नरेन्द्र',
  ])('accepts the name %s', async (name) => {
    expect((await signUp(aSignup({ name }))).statusCode).toBe(201);
  });

  it('creates one account for ten concurrent identical forms', async () => {
    const form = aSignup();
    const responses = await Promise.all(Array.from({ length: 10 }, () => signUp(form)));
    expect(responses.map((response) => response.statusCode)).toEqual(Array<number>(10).fill(201));
    const ids = new Set(responses.map((response) => response.json<SignupResponse>().id));
    expect(ids.size).toBe(1);
    const rows = await harness.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', form.email)
      .execute();
    expect(rows).toHaveLength(1);
    const published = (await publishedEvents(harness.deps.db, 'accounts.user.registered')).filter(
      (event) => (event.data as SignupFacts).email === form.email,
    );
    expect(published).toHaveLength(1);
  });
});

describe('A time zone', () => {
  it.each([
    ['america/new_york', 'America/New_York'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
  ])('%s is stored as %s', async (typed, stored) => {
    expect((await aUser(harness, { timezone: typed })).timezone).toBe(stored);
  });
});

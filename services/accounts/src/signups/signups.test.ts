import type { SignupFacts, SignupResponse } from '@daylift/contracts/accounts.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSignup, aUser, userRow } from '../../test/factories.ts';
import { createHarness, type Harness, testStart } from '../../test/harness.ts';

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
  it('makes an account and answers what was asked for, without any password', async () => {
    const form = aSignup({ name: '  Ada   Lovelace ', email: 'Ada.Mixed@Example.COM' });
    const answer = await signUp(form);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
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
    expect(answer.headers['cache-control']).toBe('no-store');
    const row = await userRow(harness, answer.json<SignupResponse>().id);
    expect(row).toMatchObject({ version: 1, consent: 'granted', subscription_status: 'pending' });
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(row)).not.toContain('correct horse');
  });

  it('tells the other services once, and only the one that sends texts hears the number', async () => {
    const user = await aUser(harness);
    const events = await eventsOf(user.id);
    expect(events.map((event) => event.type)).toEqual([
      'accounts.user.registered',
      'accounts.settings.changed',
      'accounts.recipient.changed',
    ]);
    const [registered, settings, recipient] = events;
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
    expect(JSON.stringify([registered, settings])).not.toContain(user.phone);
    expect(registered?.data).toMatchObject({ email: user.email, plan: 'monthly' });
    expect(registered?.data).toHaveProperty('phone_hash', expect.stringMatching(/^[0-9a-f]{64}$/));
    expect(JSON.stringify(events)).not.toContain('argon2');
  });

  it('keeps the proof of consent: wording, number as a hash, time, address and browser', async () => {
    const answer = await signUp(aSignup(), {
      'x-client-ip': '203.0.113.9',
      'user-agent': 'Test/1.0',
    });
    const { id } = answer.json<SignupResponse>();
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

  it('asks nobody for consent who did not tick the box: the account waits, without a proof', async () => {
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

  it('gives weekly subscribers the weekday of the day after signup on their own calendar', async () => {
    // 15:00 UTC on a Saturday is Sunday already in Tokyo, so tomorrow is Monday there.
    const chicago = await aUser(harness, { delivery_frequency: 'weekly' });
    const tokyo = await aUser(harness, { delivery_frequency: 'weekly', timezone: 'Asia/Tokyo' });
    expect((await userRow(harness, chicago.id)).weekday).toBe(7);
    expect((await userRow(harness, tokyo.id)).weekday).toBe(1);
  });

  it('remembers who referred, and lets an unknown code pass', async () => {
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

  it('takes five spellings of one number for one account', async () => {
    const { phone } = await aUser(harness, { phone: '+1 (415) 555-0199' });
    expect(phone).toBe('+14155550199');
    const spellings = ['(415) 555-0199', '415.555.0199', '14155550199', '0014155550199'];
    for (const spelling of spellings) {
      const answer = await signUp(aSignup({ phone: spelling }));
      expect([spelling, answer.statusCode]).toEqual([spelling, 409]);
    }
  });

  it('takes numbers that are reserved for examples, and those of the other countries we serve', async () => {
    for (const phone of ['+15550101234', '+44 7700 900123', '+81 90-1234-5678', '+52 55 1234 5678'])
      expect((await signUp(aSignup({ phone }))).statusCode).toBe(201);
  });

  it.each([
    ['the e-mail in another case', { email: 'TWIN@example.com' }],
    ['the phone', { phone: '(646) 555-0142' }],
  ])('refuses a second account with %s', async (_what, same) => {
    await signUp(aSignup({ email: 'twin@example.com', phone: '+16465550142' }));
    const answer = await signUp(aSignup(same));
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      detail: 'An account with this email or phone already exists. Please sign in.',
      code: 'ACCOUNT_EXISTS',
    });
  });

  it('makes one account of ten signups at the same moment, and nothing of the other nine', async () => {
    const form = aSignup();
    const answers = await Promise.all(Array.from({ length: 10 }, () => signUp(form)));
    const statuses = answers.map((answer) => answer.statusCode).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
    const rows = await harness.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', form.email)
      .execute();
    expect(rows).toHaveLength(1);
    const told = (await publishedEvents(harness.deps.db, 'accounts.user.registered')).filter(
      (event) => (event.data as SignupFacts).email === form.email,
    );
    expect(told).toHaveLength(1);
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

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
const detailOf = (answer: { json(): unknown }) => (answer.json() as { detail: string }).detail;
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

const blanks = ['', '   '];
const withoutField = (field: string) => {
  const form = aSignup() as Record<string, unknown>;
  delete form[field];
  return form;
};

describe('POST /subscriptions refuses', () => {
  it.each(['name', 'email', 'phone', 'password'])('a missing or blank %s', async (field) => {
    for (const body of [
      withoutField(field),
      ...blanks.map((blank) => ({ ...aSignup(), [field]: blank })),
    ]) {
      const answer = await signUp(body);
      expect(answer.statusCode).toBe(400);
      expect(detailOf(answer)).toBe('Please fill in all required fields');
    }
  });

  it.each(['timezone', 'delivery_time'])('a missing or blank %s', async (field) => {
    for (const body of [
      withoutField(field),
      ...blanks.map((blank) => ({ ...aSignup(), [field]: blank })),
    ]) {
      const answer = await signUp(body);
      expect(answer.statusCode).toBe(400);
      expect(detailOf(answer)).toBe('Please select your timezone and delivery time');
    }
  });

  it('passwords that differ, and short ones', async () => {
    const differ = await signUp(aSignup({ confirmPassword: 'another horse' }));
    expect([differ.statusCode, detailOf(differ)]).toEqual([400, 'Passwords do not match']);
    const short = await signUp(aSignup({ password: '12345', confirmPassword: '12345' }));
    expect([short.statusCode, detailOf(short)]).toEqual([
      400,
      'Password must be at least 6 characters long',
    ]);
  });

  const wrong: [string, unknown[]][] = [
    [
      'name',
      [
        null,
        7,
        ['Ada'],
        {},
        'a'.repeat(101),
        'A\u0000da',
        'A\u0007da',
        '\u202Eada',
        '\u200B',
        '\uD800',
      ],
    ],
    [
      'email',
      [
        null,
        7,
        [],
        'ada',
        '@example.com',
        'a b@example.com',
        `${'a'.repeat(250)}@example.com`,
        '"a b"@example.com',
        'аda@example.com',
        'a@b.c\nBcc: x@y.z',
        'a@exa\u0000mple.com',
      ],
    ],
    [
      'phone',
      [
        null,
        13_125_550_001,
        [],
        '911',
        '40404',
        '1-800-FLOWERS',
        '+1 312 555 0001 x33',
        '+1 900 555 0123',
        '+44 909 8790000',
        '+870 773111632',
        '+55 11 91234 5678',
        '+18765550123',
        '+1234567890123456',
        'abc',
        '+',
        "' or 1=1--",
        '1'.repeat(33),
      ],
    ],
    ['password', [null, 123_456, [], 'a'.repeat(129), 'a'.repeat(20_000)]],
    [
      'timezone',
      [
        null,
        5,
        'EST',
        'MST',
        'CET',
        '+05:30',
        'Mars/Phobos',
        '../etc/passwd',
        'America/New_York\u0000',
        'a'.repeat(65),
        '2027-01-01T00:00Z[America/Chicago]',
      ],
    ],
    ['delivery_time', [null, 9, '24:00', '9:00', '09:30', '-1:00', '09:00:00', '09:00\n', '٠٩:٠٠']],
    ['plan', [null, '', 'weekly', 'MONTHLY', 1]],
    ['delivery_frequency', ['hourly', null, 1]],
    ['sms_consent', ['true', 1, null]],
    ['ref', [null, 5, 'x'.repeat(65), 'A\u0000']],
  ];
  it.each(wrong)('a wrong %s, with words that a person understands', async (field, values) => {
    for (const value of values) {
      const answer = await signUp({ ...aSignup(), [field]: value });
      expect([field, value, answer.statusCode]).toEqual([field, value, 400]);
      expect(answer.json()).toEqual({
        detail: expect.stringMatching(/^.{10,}/),
        code: expect.any(String),
        request_id: expect.any(String),
      });
      expect(detailOf(answer)).not.toMatch(/schema|pattern|regex|FST_|undefined/);
    }
  });

  it('fields that the form does not have', async () => {
    for (const extra of ['is_active', 'status', 'version', 'consent', 'id']) {
      const answer = await signUp({ ...aSignup(), [extra]: true });
      expect(answer.statusCode).toBe(400);
      expect(detailOf(answer)).toContain(extra);
    }
  });

  it('what is no form at all', async () => {
    const raw = (payload: string, type = 'application/json') =>
      harness.call({
        method: 'POST',
        url: '/subscriptions',
        body: payload,
        headers: { 'content-type': type },
      });
    for (const payload of ['', '[]', '"x"', 'null', '{', '{"__proto__":{"a":1}}'])
      expect([payload, (await raw(payload)).statusCode]).toEqual([payload, 400]);
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect((await raw(`{"name":${nested}}`)).statusCode).toBe(400);
    expect((await raw(JSON.stringify({ name: 'a'.repeat(70_000) }))).statusCode).toBe(413);
    for (const type of [
      'text/plain',
      'application/json\ta',
      'application/xml',
      'application/jsonp',
    ])
      expect([type, (await raw(JSON.stringify(aSignup()), type)).statusCode]).toEqual([type, 415]);
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

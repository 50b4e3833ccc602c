import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSignup } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const signUp = (body: unknown, headers?: Record<string, string>) =>
  harness.call({ method: 'POST', url: '/subscriptions', body, ...(headers && { headers }) });
const detailOf = (response: { json(): unknown }) => (response.json() as { detail: string }).detail;

const blanks = ['', '   '];
const withoutField = (field: string) => {
  const form = aSignup() as Record<string, unknown>;
  delete form[field];
  return form;
};

describe('POST /subscriptions rejects', () => {
  it.each(['name', 'email', 'phone', 'password'])('a missing or blank %s', async (field) => {
    for (const body of [
      withoutField(field),
      ...blanks.map((blank) => ({ ...aSignup(), [field]: blank })),
    ]) {
      const response = await signUp(body);
      expect(response.statusCode).toBe(400);
      expect(detailOf(response)).toBe('Please fill in all required fields');
    }
  });

  it.each(['timezone', 'delivery_time'])('a missing or blank %s', async (field) => {
    for (const body of [
      withoutField(field),
      ...blanks.map((blank) => ({ ...aSignup(), [field]: blank })),
    ]) {
      const response = await signUp(body);
      expect(response.statusCode).toBe(400);
      expect(detailOf(response)).toBe('Please select your timezone and delivery time');
    }
  });

  it('different and short passwords', async () => {
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
  it.each(wrong)('a wrong %s, with a helpful message', async (field, values) => {
    for (const value of values) {
      const response = await signUp({ ...aSignup(), [field]: value });
      expect([field, value, response.statusCode]).toEqual([field, value, 400]);
      expect(response.json()).toEqual({
        detail: expect.stringMatching(/^.{10,}/),
        code: expect.any(String),
        request_id: expect.any(String),
      });
      expect(detailOf(response)).not.toMatch(/schema|pattern|regex|FST_|undefined/);
    }
  });

  it('unknown fields', async () => {
    for (const extra of ['is_active', 'status', 'version', 'consent', 'id']) {
      const response = await signUp({ ...aSignup(), [extra]: true });
      expect(response.statusCode).toBe(400);
      expect(detailOf(response)).toContain(extra);
    }
  });

  it("anything that isn't a form", async () => {
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductClient } from './product-client.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

const signup = {
  name: 'Ada Morning',
  email: 'ada@example.com',
  phone: '+14155550101',
  password: 'good morning',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  plan: 'monthly',
  sms_consent: true,
};

const scheduled = {
  title: 'A good day',
  content: 'Begin where you are.',
  scheduled_date: '2999-03-07',
  scheduled_time: '08:00',
};

type Auth = 'public' | 'user' | 'admin';

/** Every call of the main job that takes a body: a good one, and what makes it a bad one. */
const bodies: {
  method: string;
  path: string;
  auth: Auth;
  good: Record<string, unknown>;
  optional: string[];
}[] = [
  {
    method: 'POST',
    path: '/subscriptions',
    auth: 'public',
    good: signup,
    optional: ['plan', 'sms_consent'],
  },
  {
    method: 'POST',
    path: '/payments/create-checkout',
    auth: 'public',
    good: { subscription_id: nobody, plan: 'monthly', origin_url: 'http://localhost:8080' },
    optional: [],
  },
  {
    method: 'POST',
    path: '/users/login',
    auth: 'public',
    good: { login: 'ada@example.com', password: 'no' },
    optional: [],
  },
  {
    method: 'POST',
    path: '/admin/login',
    auth: 'public',
    good: { username: 'nobody', password: 'no' },
    optional: [],
  },
  {
    method: 'PUT',
    path: '/users/me',
    auth: 'user',
    good: {
      phone: '+14155550101',
      timezone: 'Europe/Paris',
      delivery_time: '07:00',
      delivery_enabled: true,
      delivery_frequency: 'daily',
    },
    optional: ['phone', 'timezone', 'delivery_time', 'delivery_enabled', 'delivery_frequency'],
  },
  {
    method: 'POST',
    path: '/admin/scheduled-messages',
    auth: 'admin',
    good: scheduled,
    optional: ['scheduled_time'],
  },
  {
    method: 'POST',
    path: '/admin/send-todays-message',
    auth: 'admin',
    good: { hold_quiet_hours: true },
    optional: ['hold_quiet_hours'],
  },
  {
    method: 'POST',
    path: `/admin/scheduled-messages/${nobody}/send-now`,
    auth: 'admin',
    good: { hold_quiet_hours: true },
    optional: ['hold_quiet_hours'],
  },
];

/** No field of any call takes one of these. */
const badValues: unknown[] = [
  '',
  '   ',
  null,
  7.5,
  -1,
  [],
  ['09:00'],
  {},
  { $ne: null },
  'x'.repeat(5_000),
  '\u0000',
  '../../etc/passwd',
  "' or 1=1 --",
];

/** Values that fit a field's type and still are wrong. */
const wrongValues: Record<string, unknown[]> = {
  phone: ['12', '+1', 'call me', '+999999999999999999', '0'],
  email: ['ada', 'ada@', '@example.com', 'a b@example.com', 'a@b\r\nBcc: c@d.e'],
  delivery_time: ['24:00', '9:00', '09:30', '-1:00', '09:00:00', '9 AM'],
  timezone: ['Mars/Olympus', 'EST5', '+02:00', 'utc+2', 'Europe'],
  plan: ['weekly', 'MONTHLY', 'free'],
  delivery_frequency: ['hourly', 'Daily'],
  origin_url: [
    'https://good.com.evil.example',
    '//evil.example',
    'javascript:alert(1)',
    'http://localhost:8080@evil.example',
  ],
  subscription_id: ['1', 'not-an-id', `${nobody}0`],
  scheduled_date: ['tomorrow', '2027-02-30', '2027-13-01', '07/03/2027', '2001-01-01'],
  scheduled_time: ['25:00', '8', 'noon'],
  password: ['12345'],
};

/** Fields in which free text is welcome: only what can be no text at all is bad. */
const freeText = new Set(['name', 'password', 'login', 'username', 'title', 'content']);

let running: TestStack;
let product: ProductClient;
const tokens: Record<Auth, string | undefined> = {
  public: undefined,
  user: undefined,
  admin: undefined,
};

beforeAll(async () => {
  running = await startTestStack();
  product = running.product;
  await product.signUp(signup as never);
  tokens.user = await product.login(signup.email, signup.password);
  tokens.admin = await product.adminLogin(running.stack.adminCredentials);
}, 180_000);

afterAll(() => running?.stop());

function expectHelpfulRefusal(answer: { status: number; body: unknown }, what: string): void {
  expect(answer.status, what).toBeGreaterThanOrEqual(400);
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.body, what).toMatchObject({
    detail: expect.any(String),
    code: expect.any(String),
    request_id: expect.any(String),
  });
  const { detail } = answer.body as { detail: string };
  expect(detail.length, what).toBeGreaterThan(8);
  expect(detail, what).not.toMatch(/undefined|\[object|must match|FST_|at \w+ \(/);
}

describe.each(bodies)('$method $path', ({ method, path, auth, good, optional }) => {
  test('refuses every bad value of every field with a sentence', async () => {
    for (const field of Object.keys(good)) {
      const general = freeText.has(field)
        ? badValues.filter((value) => typeof value !== 'string' || value.trim() === '')
        : badValues;
      for (const value of [...general, ...(wrongValues[field] ?? [])]) {
        if (
          (path === '/users/login' || path === '/admin/login') &&
          typeof value === 'string' &&
          value !== ''
        )
          continue;
        const body: Record<string, unknown> = { ...good, [field]: value };
        // Only the field under test may be the reason of the refusal.
        if ('email' in good && field !== 'email') body.email = 'someone-else@example.com';
        const answer = await product.api(method, path, body, tokens[auth]);
        expectHelpfulRefusal(
          answer,
          `${field} = ${JSON.stringify(value)?.slice(0, 60)} -> ${JSON.stringify(answer)}`,
        );
      }
    }
  });

  test('names what is missing, and refuses fields that it does not know', async () => {
    for (const field of Object.keys(good).filter((one) => !optional.includes(one))) {
      const answer = await product.api(method, path, { ...good, [field]: undefined }, tokens[auth]);
      expectHelpfulRefusal(answer, `${field} missing`);
      const { detail } = answer.body as { detail: string };
      // The signup's own sentences are those of the form, which shows at its fields what is missing.
      if (path === '/subscriptions') expect(detail).toMatch(/^Please (fill in all|select your)/);
      else expect(detail).toContain(field);
    }
    const answer = await product.api(method, path, { ...good, is_admin: true }, tokens[auth]);
    expect(answer.status).toBe(400);
    expect((answer.body as { detail: string }).detail).toContain('is_admin');
  });

  test('refuses a body that is not JSON, not an object, or too large', async () => {
    const send = (body: string, type = 'application/json') =>
      fetch(`${product.urls.gateway}/api${path}`, {
        method,
        body,
        headers: {
          'content-type': type,
          ...(tokens[auth] ? { authorization: `Bearer ${tokens[auth]}` } : {}),
        },
      }).then(async (answer) => ({ status: answer.status, body: await answer.json() }));
    expect((await send('{"name": ')).status).toBe(400);
    expect((await send('"text"')).status).toBe(400);
    expect((await send('[]')).status).toBe(400);
    expect((await send('name=Ada', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await send(JSON.stringify({ ...good, name: 'x'.repeat(200_000) }))).status).toBe(413);
  });
});

describe.each([
  ['GET', '/payments/status/nothing', 'public'],
  ['GET', '/payments/status/cs_test_unknownunknown00', 'public'],
  ['GET', '/users/me/sms-history?limit=0', 'user'],
  ['GET', '/users/me/sms-history?limit=-1', 'user'],
  ['GET', '/users/me/sms-history?limit=1000000000', 'user'],
  ['GET', '/users/me/sms-history?limit=NaN', 'user'],
  ['GET', '/users/me/sms-history?limit=10%3Bdrop', 'user'],
  ['GET', '/admin/sms-batches?limit=0', 'admin'],
  ['GET', '/admin/users?limit=501', 'admin'],
  ['GET', '/admin/users?offset=-1', 'admin'],
  ['DELETE', '/admin/scheduled-messages/not-an-id', 'admin'],
  ['DELETE', `/admin/scheduled-messages/${nobody}`, 'admin'],
  ['POST', `/admin/scheduled-messages/${nobody}/send-now`, 'admin'],
  ['POST', '/admin/send-todays-message', 'admin'],
] as const)('%s %s', (method, path, auth) => {
  test('is refused with a sentence', async () => {
    expectHelpfulRefusal(await product.api(method, path, undefined, tokens[auth]), path);
  });
});

test.each([
  ['GET', '/users/me'],
  ['PUT', '/users/me'],
  ['GET', '/users/me/subscription'],
  ['GET', '/users/me/sms-history'],
  ['GET', '/users/me/analytics'],
  ['GET', '/users/me/next-text'],
])('%s %s needs a signed-in subscriber, not an admin', async (method, path) => {
  const body = method === 'PUT' ? { delivery_time: '09:00' } : undefined;
  expect((await product.api(method, path, body)).status).toBe(401);
  expect((await product.api(method, path, body, 'garbage')).status).toBe(401);
  expect((await product.api(method, path, body, tokens.admin)).status).toBe(403);
});

test.each([
  ['GET', '/admin/analytics'],
  ['GET', '/admin/users'],
  ['GET', '/admin/scheduled-messages'],
  ['POST', '/admin/scheduled-messages'],
  ['DELETE', `/admin/scheduled-messages/${nobody}`],
  ['POST', `/admin/scheduled-messages/${nobody}/send-now`],
  ['POST', '/admin/send-todays-message'],
  ['POST', '/admin/scheduler/run'],
  ['POST', '/admin/scheduler/process-queue'],
  ['GET', '/admin/scheduler/status'],
  ['GET', '/admin/sms-batches'],
  ['GET', '/admin/sms-stats'],
])('%s %s needs an admin, not a subscriber', async (method, path) => {
  expect((await product.api(method, path)).status).toBe(401);
  expect((await product.api(method, path, undefined, 'garbage')).status).toBe(401);
  expect((await product.api(method, path, undefined, tokens.user)).status).toBe(403);
});

test('an address that does not exist is 404 with a sentence, in the API and below it', async () => {
  for (const path of [
    '/nothing',
    '/users/me/nothing',
    '/internal/settle',
    '/internal/sessions',
    '/admin/nothing',
  ]) {
    const answer = await product.api('GET', path, undefined, tokens.admin);
    expect(answer.status, path).toBe(404);
    expectHelpfulRefusal(answer, path);
  }
});

test('the right query strings and the wrong verbs never end in a 5xx', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of [
      '/subscriptions',
      '/users/me',
      '/admin/users',
      '/webhooks/stripe',
      '/plans',
      '/faqs',
    ]) {
      const answer = await product.api(
        method,
        path,
        method === 'GET' ? undefined : {},
        tokens.admin,
      );
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
    }
  }
});

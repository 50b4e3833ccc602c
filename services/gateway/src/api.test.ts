import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHarness, type Harness, tokenFor } from '../test/harness.ts';
import { type Access, type ApiRoute, apiRoutes } from './routes-table.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => {
  harness.state.seen.length = 0;
});
afterAll(() => harness.close());

const forwarded = apiRoutes.filter((route) => route.upstream !== 'gateway');
const named = (routes: readonly ApiRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const pathOf = (route: ApiRoute) => route.path.replaceAll(/:\w+/g, 'abc-123');
const forwardedCalls = () => harness.state.seen.filter((one) => !one.url.startsWith('/internal/'));
const bodyOf = (route: ApiRoute) =>
  route.method === 'POST' || route.method === 'PUT'
    ? { payload: '{"a": 1 }', headers: { 'content-type': 'application/json' } }
    : {};
const kindBehind = (access: Access) => {
  if (access === 'public' || access === 'webhook') return undefined;
  return access === 'user' || access === 'visitor' ? 'user' : 'admin';
};
/** Responses must not be cached, and referrers must not leak. */
const privacyHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
const codeOf = (response: { json(): unknown }) => (response.json() as { code: string }).code;

describe('Every declared endpoint', () => {
  it.each(named(forwarded))('%s reaches only its service', async (_name, route) => {
    const token = tokenFor(harness, route.access);
    const response = await harness.call({
      method: route.method,
      url: `/api${pathOf(route)}?q=a%20b&q=2`,
      ...(token && { token }),
      ...bodyOf(route),
    });
    expect(response.statusCode).toBe(route.method === 'POST' ? 201 : 200);
    expect(response.json()).toEqual({ answered_by: route.upstream });
    expect(response.headers).toMatchObject(privacyHeaders);
    const [seen, ...more] = forwardedCalls();
    expect(more).toEqual([]);
    expect(seen).toMatchObject({
      service: route.upstream,
      method: route.method,
      url: `${pathOf(route)}?q=a%20b&q=2`,
    });
    expect(seen?.body?.toString() ?? null).toBe('payload' in bodyOf(route) ? '{"a": 1 }' : null);
    expect(seen?.identity?.kind).toBe(kindBehind(route.access));
  });

  it('passes on the identity and the request id', async () => {
    const user = harness.userToken();
    const response = await harness.call({ url: '/api/users/me', token: user.token });
    const admin = harness.adminToken('viewer');
    await harness.call({ url: '/api/admin/users', token: admin.token });
    expect(forwardedCalls()[0]?.identity).toMatchObject({
      kind: 'user',
      user_id: user.id,
      session_version: 0,
    });
    expect(forwardedCalls()[0]?.headers['x-request-id']).toBe(response.headers['x-request-id']);
    expect(forwardedCalls()[1]?.identity).toMatchObject({
      kind: 'admin',
      admin_id: admin.id,
      username: 'viewer-name',
      role: 'viewer',
    });
  });

  it('returns public response headers and drops internal ones', async () => {
    const { headers } = await harness.call({ url: '/api/faqs' });
    expect(headers).toMatchObject({ 'x-total-count': '7', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('A response other than 200', () => {
  const { method, path } = { method: 'POST', path: '/api/users/logout' } as const;

  it.each([
    ['a 204 without a body', { status: 204, headers: {}, body: null }],
    [
      'a 202 with its words',
      {
        status: 202,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: '{"detail":"Taken."}',
      },
    ],
    [
      'a file with its name',
      {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="my-data.json"',
        },
        body: '{"a":1}',
      },
    ],
    [
      'a 429 with its retry-after header',
      {
        status: 429,
        headers: { 'content-type': 'application/json; charset=utf-8', 'retry-after': '60' },
        body: '{"detail":"Wait."}',
      },
    ],
  ])('is passed on: %s', async (_name, next) => {
    harness.state.next = next;
    const { token } = harness.userToken();
    const response = await harness.call({ method, url: path, token });
    expect([response.statusCode, response.body]).toEqual([next.status, next.body ?? '']);
    expect(response.headers).toMatchObject({ ...next.headers, ...privacyHeaders });
    expect(forwardedCalls().at(-1)?.body).toBeNull();
  });

  it.each([
    ['without a token', '/api/users/me', 401],
    ['of nothing', '/api/nothing', 404],
    ['of an address that is none', '/api/%zz', 400],
  ])("%s isn't cached either", async (_name, url, status) => {
    const response = await harness.call({ url });
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject(privacyHeaders);
  });
});

describe('Client headers', () => {
  it("can't set an identity: identities, addresses and tokens are dropped", async () => {
    const user = harness.userToken();
    await harness.call({
      url: '/api/users/me',
      token: user.token,
      remoteAddress: '203.0.113.77',
      headers: {
        'x-daylift-identity': 'eyJhbGciOiJub25lIn0.eyJraW5kIjoic2VydmljZSJ9.',
        'x-client-ip': '1.1.1.1',
        'x-forwarded-for': '1.1.1.1',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=1.1.1.1',
        'x-real-ip': '1.1.1.1',
        'x-user-id': 'someone',
        'x-request-id': 'mine',
        cookie: 'a=b',
        'user-agent': 'Test/1.0',
      },
    });
    const [seen] = forwardedCalls();
    expect(seen?.identity).toMatchObject({ kind: 'user', user_id: user.id });
    expect(seen?.headers).toMatchObject({
      'x-client-ip': '203.0.113.77',
      'user-agent': 'Test/1.0',
    });
    expect(seen?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    for (const name of [
      'authorization',
      'cookie',
      'forwarded',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-real-ip',
      'x-user-id',
    ])
      expect(seen?.headers).not.toHaveProperty(name);
    const anonymous = await harness.call({
      url: '/api/faqs',
      headers: { 'x-daylift-identity': 'x' },
    });
    expect(anonymous.statusCode).toBe(200);
    expect(forwardedCalls()[1]?.headers).not.toHaveProperty('x-daylift-identity');
  });
});

describe('Bodies', () => {
  const webhook = (payload: Buffer | string, type = 'application/json; charset=utf-8') =>
    harness.call({
      method: 'POST',
      url: '/api/webhooks/telnyx/20270307-abc',
      payload,
      headers: {
        'content-type': type,
        'telnyx-signature-ed25519': 'sig',
        'telnyx-timestamp': '1',
        'stripe-signature': 't=1,v1=x',
      },
    });

  it('of webhooks are passed on byte for byte, with signatures, for any content type', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'text/plain',
      'application/octet-stream',
    ]) {
      const payload = Buffer.concat([Buffer.from('{ "a":\t1 }\r\n'), randomBytes(64)]);
      expect((await webhook(payload, type)).statusCode).toBe(201);
      const seen = forwardedCalls().at(-1);
      expect(seen?.body?.equals(payload)).toBe(true);
      expect(seen?.headers).toMatchObject({
        'content-type': type,
        'telnyx-signature-ed25519': 'sig',
        'telnyx-timestamp': '1',
        'stripe-signature': 't=1,v1=x',
      });
    }
  });

  it('over the limit get 413 before reaching a service', async () => {
    const kib = 1024;
    expect((await webhook(Buffer.alloc(256 * kib))).statusCode).toBe(201);
    harness.state.seen.length = 0;
    const big = [
      await webhook(Buffer.alloc(256 * kib + 1)),
      await harness.call({
        method: 'POST',
        url: '/api/subscriptions',
        payload: `{"a":"${'x'.repeat(64 * kib)}"}`,
        headers: { 'content-type': 'application/json' },
      }),
    ];
    for (const response of big) {
      expect(response.statusCode).toBe(413);
      expect(response.json()).toMatchObject({ detail: 'This request is too large.' });
    }
    expect(forwardedCalls()).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/json\ta',
    'application/jsonp',
    'application/xml',
    'x',
    'multipart/form-data',
  ])('of type %j get 415', async (type) => {
    const response = await harness.call({
      method: 'POST',
      url: '/api/users/login',
      payload: '{"login":"a","password":"b"}',
      headers: { 'content-type': type },
    });
    expect(response.statusCode).toBe(415);
    expect(forwardedCalls()).toEqual([]);
  });

  it('are optional: an empty POST is passed on without a body, with or without a type', async () => {
    const { token } = harness.adminToken('operator');
    const url = '/api/admin/send-todays-message';
    expect((await harness.call({ method: 'POST', url, token })).statusCode).toBe(201);
    const typed = { 'content-type': 'application/json' };
    expect((await harness.call({ method: 'POST', url, token, headers: typed })).statusCode).toBe(
      201,
    );
    for (const seen of forwardedCalls()) expect(seen.body).toBeNull();
  });
});

describe('An undeclared endpoint', () => {
  const outside: [string, string][] = [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing'],
    ['GET', '/api/internal/sessions?kind=user&subject=x&version=0'],
    ['GET', '/api/internal/analytics/users'],
    ['POST', '/api/internal/settle'],
    ['GET', '/api/metrics'],
    ['DELETE', '/api/users/me'],
    ['PUT', '/api/users/login'],
    ['OPTIONS', '/api/users/me'],
    ['GET', '/api/webhooks/stripe'],
    ['GET', '/api//users/me'],
    ['GET', '/api/Users/Me'],
    ['GET', '/api/users/me/..%2f..%2finternal/sessions'],
    ['POST', '/nothing'],
  ];
  it.each(outside)('%s %s gets 404 as JSON, and reaches no service', async (method, url) => {
    const response = await harness.call({ method: method as 'GET', url });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({
      detail: 'Not found.',
      code: 'NOT_FOUND',
    });
    expect(harness.state.seen).toEqual([]);
  });

  it.each([
    '/api/payments/status/..%2f..%2finternal',
    '/api/payments/status/%2e%2e%2fx',
    '/api/%zz',
    '/api/payments/status/%00',
  ])('%s is not redirected', async (url) => {
    const response = await harness.call({ url });
    expect(response.statusCode).toBeLessThan(500);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(codeOf(response)).toEqual(expect.any(String));
    expect(forwardedCalls().filter((one) => !one.url.startsWith('/payments/status/'))).toEqual([]);
  });
});

describe('A slow service', () => {
  it.each([
    ['charges a subscriber', '/api/users/me/plan/upgrade', 200],
    ['does anything else', '/api/users/me/generate-referral', 503],
  ])(
    'and %s: after eleven seconds %s responds %i',
    async (_why, url, status) => {
      const { token } = harness.userToken();
      harness.state.next = { status: 200, headers: {}, body: '{}', afterMs: 11_000 };
      const response = await harness.call({ method: 'POST', url, token, payload: {} });
      expect(response.statusCode).toBe(status);
    },
    20_000,
  );
});

describe('An unavailable service', () => {
  it('responds 503 with a message, while others work', async () => {
    await harness.upstreams.content.close();
    const response = await harness.call({ url: '/api/faqs' });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({
      detail: 'This part of Daylift is not available right now. Please try again.',
      code: 'PART_UNAVAILABLE',
      request_id: response.headers['x-request-id'],
    });
    expect((await harness.call({ url: '/api/plans' })).statusCode).toBe(200);
    await harness.restart('content');
    expect((await harness.call({ url: '/api/faqs' })).statusCode).toBe(200);
  });

  it('is retried once for reads, never for changes', async () => {
    harness.state.resets = 1;
    expect((await harness.call({ url: '/api/faqs' })).statusCode).toBe(200);
    expect(forwardedCalls()).toHaveLength(2);
    harness.state.resets = 2;
    expect((await harness.call({ url: '/api/faqs' })).statusCode).toBe(503);
    expect(forwardedCalls()).toHaveLength(4);
    harness.state.resets = 1;
    const signup = { method: 'POST', url: '/api/subscriptions', payload: {} } as const;
    expect((await harness.call(signup)).statusCode).toBe(503);
    expect(forwardedCalls()).toHaveLength(5);
    expect(harness.state.resets).toBe(0);
  });

  it('rejects everyone if it is the one that checks sessions', async () => {
    const { token } = harness.userToken();
    await harness.upstreams.accounts.close();
    const response = await harness.call({ url: '/api/users/me/sms-history', token });
    expect(response.statusCode).toBe(503);
    await harness.restart('accounts');
    expect((await harness.call({ url: '/api/users/me/sms-history', token })).statusCode).toBe(200);
  });
});

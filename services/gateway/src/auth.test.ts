import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { eventually } from '@daylift/testing/eventually';
import { createSigner } from 'fast-jwt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '../test/harness.ts';
import { type Access, apiRoutes } from './routes-table.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  for (const service of ['accounts', 'billing', 'content', 'sms-gateway'] as const)
    harness.state.figures.set(service, figures[service]);
});
afterAll(() => harness.close());

const figures = {
  accounts: { total: 3, active: 2 },
  billing: {
    subscriptions: { active: 1, trial: 1 },
    revenue: { total: 4.99, total_cents: 499, transactions: 1 },
  },
  content: {
    scheduled_messages: {
      total: 1,
      pending: 1,
      todays_message: {
        date: '2027-03-07',
        exists: false,
        id: null,
        title: null,
        scheduled_time: null,
        is_sent: false,
      },
    },
    templates: { active: 120, total: 120 },
  },
  'sms-gateway': { total_sent: 5, successful: 4, failed: 1, success_rate: 80, total_cost: 0.02 },
};

const status = async (method: string, url: string, token?: string) =>
  (await harness.call({ method: method as 'GET', url, ...(token && { token }) })).statusCode;

type Credential = [string, () => string | undefined];
const foreign = createSigner({
  key: generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
  algorithm: 'EdDSA',
});
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (aud: unknown) => ({ sub: randomUUID(), aud, ver: 0 });
const worthless: Credential[] = [
  ['none', () => undefined],
  ['garbage', () => 'garbage'],
  ['three dots', () => 'a.b.c'],
  ['expired', () => harness.sign(claims('user'), -1000)],
  ['of another key', () => foreign(claims('admin'))],
  ['unsigned', () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims('admin'))}.x`],
  [
    'signed with the public key as a secret',
    () => `${part({ alg: 'HS256' })}.${part(claims('admin'))}.AAAA`,
  ],
  ['for another door', () => harness.sign(claims('partner'))],
  ['for both doors', () => harness.sign(claims(['user', 'admin']))],
  ['without a subject', () => harness.sign({ aud: 'user', ver: 0 })],
  ['with a subject that is no id', () => harness.sign({ sub: '../x', aud: 'user', ver: 0 })],
  ['with a version that is no number', () => harness.sign({ ...claims('user'), ver: '0' })],
];
const opens: Record<string, Access[]> = {
  user: ['user'],
  viewer: ['self', 'viewer'],
  operator: ['self', 'viewer', 'operator'],
  owner: ['self', 'viewer', 'operator', 'owner'],
};

describe.each(
  apiRoutes
    .filter(({ access }) => !['public', 'visitor', 'webhook'].includes(access))
    .map((route) => ({ name: `${route.method} ${route.path}`, route })),
)('$name', ({ route }) => {
  const url = `/api${route.path.replaceAll(/:\w+/g, randomUUID())}`;

  it('rejects calls without a valid token', async () => {
    for (const [name, make] of worthless)
      expect([name, await status(route.method, url, make())]).toEqual([name, 401]);
  });

  it('accepts the intended callers, and responds 403 to others', async () => {
    for (const [holder, accesses] of Object.entries(opens)) {
      const { token } =
        holder === 'user' ? harness.userToken() : harness.adminToken(holder as 'viewer');
      const answered = await status(route.method, url, token);
      expect([holder, answered === 403 ? 'closed' : 'open']).toEqual([
        holder,
        accesses.includes(route.access) ? 'open' : 'closed',
      ]);
      expect(answered === 403 || answered < 300).toBe(true);
    }
  });
});

describe('POST /payments/create-checkout', () => {
  const behind = async (token?: string) => {
    const url = '/api/payments/create-checkout';
    expect(await status('POST', url, token)).toBe(201);
    return harness.state.seen.findLast((one) => one.url === url.slice('/api'.length))?.identity;
  };

  it('accepts a signed-in subscriber, however old the signup is', async () => {
    const { token, id } = harness.userToken();
    expect(await behind(token)).toMatchObject({ kind: 'user', user_id: id });
  });

  it('treats everyone else as a visitor, with any token', async () => {
    for (const [name, make] of worthless)
      expect([name, await behind(make())]).toEqual([name, null]);
    expect(await behind(harness.adminToken('owner').token)).toBeNull();
    const { token, id } = harness.userToken();
    harness.state.sessions.delete(`user:${id}:0`);
    expect(await behind(token)).toBeNull();
  });
});

describe('A subscriber with a password set by staff', () => {
  it('can only choose a new one or sign out', async () => {
    const { token, id } = harness.userToken();
    const session = { valid: true, role: null, username: null, totp_missing: false };
    harness.state.sessions.set(`user:${id}:0`, { ...session, must_change_password: true });
    for (const { method, path, access } of apiRoutes) {
      if (access !== 'user' && access !== 'visitor') continue;
      const url = `/api${path.replaceAll(/:\w+/g, randomUUID())}`;
      const response = await harness.call({ method, url, token });
      if (['/users/me/change-password', '/users/logout'].includes(path)) {
        expect([path, response.statusCode < 300]).toEqual([path, true]);
        continue;
      }
      expect([path, response.statusCode]).toEqual([path, 403]);
      expect(response.json()).toMatchObject({
        code: 'PASSWORD_CHANGE_REQUIRED',
        detail: 'Please choose your own password first.',
      });
    }
  });
});

describe('A revoked session', () => {
  it('is rejected within a second, although its token is signed and recent', async () => {
    const { token, id } = harness.userToken();
    expect(await status('GET', '/api/users/me', token)).toBe(200);
    harness.state.sessions.delete(`user:${id}:0`);
    const ended = performance.now();
    await eventually(async () => (await status('GET', '/api/users/me', token)) === 401);
    expect(performance.now() - ended).toBeLessThan(1_000);
  });

  it('loses a role just as fast', async () => {
    const { token, id } = harness.adminToken('operator');
    const url = '/api/admin/scheduler/run';
    expect(await status('POST', url, token)).toBe(201);
    harness.state.sessions.set(`admin:${id}:0`, {
      valid: true,
      role: 'viewer',
      username: 'x',
      totp_missing: false,
    });
    const changed = performance.now();
    await eventually(async () => (await status('POST', url, token)) === 403);
    expect(performance.now() - changed).toBeLessThan(1_000);
  });

  it('of an admin without required two-factor authentication only allows setting it up', async () => {
    const { token, id } = harness.adminToken('owner');
    const missing = { valid: true, role: 'owner', username: 'x', totp_missing: true } as const;
    harness.state.sessions.set(`admin:${id}:0`, missing);
    for (const { method, path, access } of apiRoutes) {
      if (!['self', 'viewer', 'operator', 'owner'].includes(access)) continue;
      const url = `/api${path.replaceAll(/:\w+/g, randomUUID())}`;
      const response = await harness.call({ method, url, token });
      expect([path, response.statusCode === 403]).toEqual([path, access !== 'self']);
      if (access !== 'self') expect(response.json()).toMatchObject({ code: 'TOTP_SETUP_REQUIRED' });
    }
  });

  it('affects one token, not others of the same person', async () => {
    const { token: phone, id } = harness.userToken();
    const token_id = randomUUID();
    const laptop = harness.sign({ sub: id, aud: 'user', ver: 0, jti: token_id });
    for (const token of [phone, laptop])
      expect(await status('GET', '/api/users/me', token)).toBe(200);
    harness.state.next = { status: 204, headers: {}, body: null };
    const response = await harness.call({
      method: 'POST',
      url: '/api/users/logout',
      token: laptop,
    });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    const logout = harness.state.seen.findLast((one) => one.url === '/users/logout');
    expect(logout?.identity).toMatchObject({ kind: 'user', user_id: id, token_id });
    harness.state.endedTokens.add(token_id);
    await eventually(async () => (await status('GET', '/api/users/me', laptop)) === 401);
    expect(await status('GET', '/api/users/me', phone)).toBe(200);
  });

  it('affects one token of an admin, too', async () => {
    const { token: office, id } = harness.adminToken('viewer');
    const token_id = randomUUID();
    const home = harness.sign({ sub: id, aud: 'admin', ver: 0, jti: token_id });
    harness.state.next = { status: 204, headers: {}, body: null };
    const response = await harness.call({ method: 'POST', url: '/api/admin/logout', token: home });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    const logout = harness.state.seen.findLast((one) => one.url === '/admin/logout');
    expect(logout?.identity).toMatchObject({ kind: 'admin', admin_id: id, token_id });
    harness.state.endedTokens.add(token_id);
    await eventually(async () => (await status('GET', '/api/admin/me', home)) === 401);
    expect(await status('GET', '/api/admin/me', office)).toBe(200);
  });

  it('is checked once for many concurrent requests', async () => {
    const { token, id } = harness.userToken();
    await Promise.all(Array.from({ length: 20 }, () => status('GET', '/api/users/me', token)));
    const questions = harness.state.seen.filter(
      (one) => one.url.startsWith('/internal/sessions') && one.url.includes(id),
    );
    expect(questions).toHaveLength(1);
    expect(questions[0]?.identity).toMatchObject({ kind: 'service', name: 'gateway' });
  });
});

describe('GET /api/admin/analytics', () => {
  const read = () =>
    harness.call({ url: '/api/admin/analytics', token: harness.adminToken('viewer').token });

  it('combines the figures of four services', async () => {
    const response = await read();
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      users: figures.accounts,
      ...figures.billing,
      ...figures.content,
      sms: figures['sms-gateway'],
    });
  });

  it('fails if a service is unavailable', async () => {
    await harness.upstreams['sms-gateway'].close();
    const response = await read();
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ detail: expect.stringContaining('Please try again') });
  });
});

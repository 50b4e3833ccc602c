import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminLoginResponse, LoginResponse, Me } from '@daylift/contracts/accounts.http';
import { createDatabase } from '@daylift/database/create-database';
import { eventually } from '@daylift/testing/eventually';
import { testIdentityKey, testPublicKeys } from '@daylift/testing/identity';
import { requiredUrl } from '@daylift/testing/servers';
import { type RunningProcess, startProcess } from '@daylift/testing/service-process';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from './routes-table.ts';

/** Secrets that must not be written anywhere; each is used below. */
const canaries = {
  password: 'canary-password-4711',
  wrong_password: 'canary-wrong-0815',
  phone: '+13125554711',
  email: 'canary.person@example.com',
  query: 'canary-query-string',
  letter: 'canary-letter-to-support',
};

let database: TestDatabase;
let folder: string;
let accounts: RunningProcess;
let gateway: RunningProcess;
let sql: ReturnType<typeof createDatabase<{ users: { email: string; session_version: number } }>>;

beforeAll(async () => {
  const keys = generateKeyPairSync('ed25519');
  folder = await mkdtemp(join(tmpdir(), 'daylift-door-'));
  database = await createTestDatabase({
    schema: 'accounts',
    folder: join(import.meta.dirname, '../../accounts/migrations'),
  });
  sql = createDatabase({ url: database.url, name: 'test', onError: () => undefined });
  const unreachable = 'http://127.0.0.1:9';
  accounts = await startProcess('accounts', {
    IDENTITY_PRIVATE_KEY: testIdentityKey('accounts').privateKey,
    IDENTITY_PUBLIC_KEYS: testPublicKeys,
    BILLING_URL: unreachable,
    SCHEDULER_URL: unreachable,
    SMS_GATEWAY_URL: unreachable,
    DATABASE_URL: database.url,
    NATS_URL: requiredUrl('TEST_NATS_URL'),
    JWT_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    IDENTITY_HASH_KEY: 'a-key-for-tests-that-is-long-enough!',
    ONE_TIME_CODE_KEY: 'another-key-for-tests-that-is-long-enough',
    ADMIN_SECRET_KEY: 'a-third-key-for-tests-that-is-long-enough',
    PRODUCT_NAME: 'Daylift',
    SUPPORT_EMAIL: 'support@daylift.example',
    PUBLIC_URL: 'http://127.0.0.1:9',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Daylift <hello@daylift.example>',
    ADMIN_USERNAME: 'owner',
    ADMIN_PASSWORD: canaries.password,
  });
  gateway = await startProcess('gateway', {
    IDENTITY_PRIVATE_KEY: testIdentityKey('gateway').privateKey,
    ACCOUNTS_URL: accounts.url,
    BILLING_URL: unreachable,
    CONTENT_URL: unreachable,
    SCHEDULER_URL: unreachable,
    SMS_GATEWAY_URL: unreachable,
    JWT_PUBLIC_KEY: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    REDIS_URL: requiredUrl('TEST_REDIS_URL'),
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1:9',
    WEB_DIST: join(folder, 'web'),
    ADMIN_WEB_DIST: join(folder, 'admin'),
  });
});
afterAll(async () => {
  await gateway?.stop();
  await accounts?.stop();
  await sql?.destroy();
  await database?.drop();
  await rm(folder, { recursive: true });
});

const address = `198.51.100.${Math.floor(Math.random() * 250)}`;
async function call<T>(
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: {
      'x-forwarded-for': address,
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
}
const signup = {
  name: 'Canary Person',
  email: canaries.email,
  phone: canaries.phone,
  password: canaries.password,
  confirmPassword: canaries.password,
  timezone: 'America/Chicago',
  delivery_time: '09:00',
  sms_consent: true,
};
const logIn = (password = canaries.password) =>
  call<LoginResponse>('POST', '/users/login', { body: { login: canaries.email, password } });

describe('Gateway and accounts as processes', () => {
  let token: string;

  it('support signing up, signing in, and reading and changing the profile', async () => {
    const first = await call('POST', '/subscriptions', { body: signup });
    expect(first.status).toBe(201);
    // The same form continues the unpaid signup.
    expect(await call('POST', '/subscriptions', { body: signup })).toMatchObject(first);
    expect((await logIn(canaries.wrong_password)).status).toBe(401);
    const login = await logIn();
    expect(login.status).toBe(200);
    token = login.body.access_token;
    const me = await call<Me>('GET', `/users/me?q=${canaries.query}`, { token });
    expect(me.body).toMatchObject({ email: canaries.email, delivery_time: '09:00' });
    const body = { delivery_time: '07:00' };
    expect((await call<Me>('PUT', '/users/me', { token, body })).body.delivery_time).toBe('07:00');
  });

  it('store the proof of consent with the address from the proxy', async () => {
    const db = sql as unknown as ReturnType<typeof createDatabase<{ consents: { ip: string } }>>;
    const proofs = await db.selectFrom('consents').select('ip').execute();
    expect(proofs).toEqual([{ ip: address }]);
  });

  it('keep subscribers and admins apart', async () => {
    const admin = await call<AdminLoginResponse>('POST', '/admin/login', {
      body: { username: 'owner', password: canaries.password },
    });
    expect(admin.body.role).toBe('owner');
    const users = await call<unknown[]>('GET', '/admin/users', { token: admin.body.token });
    expect(users.body).toHaveLength(1);
    expect((await call('GET', '/users/me', { token: admin.body.token })).status).toBe(403);
    expect((await call('GET', '/admin/users', { token })).status).toBe(403);
  });

  it('revoke a session within a second of its version', async () => {
    await sql.updateTable('users').set({ session_version: 1 }).execute();
    await eventually(async () => (await call('GET', '/users/me', { token })).status === 401, {
      within: 1_000,
    });
    token = (await logIn()).body.access_token;
    expect((await call('GET', '/users/me', { token })).status).toBe(200);
  });

  it('respond 4xx with a message to invalid requests', async () => {
    const raw = async (text: string) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      let response = '';
      socket.on('data', (data) => {
        response += data.toString();
      });
      socket.on('error', () => undefined);
      socket.write(text);
      await once(socket, 'close');
      return response;
    };
    const head =
      'POST /api/users/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n';
    const wrong: [string, RegExp][] = [
      ['NONSENSE\r\n\r\n', /^HTTP\/1\.1 400 /],
      [
        `GET /api/faqs HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`,
        /^HTTP\/1\.1 431 /,
      ],
      [
        `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
        /^HTTP\/1\.1 400 /,
      ],
      [`${head}content-length: -1\r\n\r\n`, /^HTTP\/1\.1 400 /],
    ];
    for (const [text, status] of wrong) {
      const response = await raw(text);
      expect(response).toMatch(status);
      expect(response).toMatch(/\{"code":"[A-Z_]+","detail":"[^"]+","request_id":"[^"]+"\}/);
    }
    const compressed = await fetch(`${gateway.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: Buffer.from('1f8b0800', 'hex'),
    });
    expect(compressed.status).toBe(400);
    const chunked = await fetch(`${gateway.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob(['x'.repeat(70_000)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it("report missing parts, and aren't ready before all are up", async () => {
    expect((await call<{ code: string }>('GET', '/faqs')).body.code).toBe('PART_UNAVAILABLE');
    expect((await call('GET', '/users/me/sms-history', { token })).status).toBe(503);
    const ready = await fetch(`${gateway.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ detail: 'Not ready yet.' });
    expect(await (await fetch(`${gateway.opsUrl}/readyz`)).json()).toMatchObject({
      detail: 'Not ready yet: billing, content, scheduler, sms-gateway, pages.',
    });
    expect((await fetch(`${accounts.url}/readyz`)).status).toBe(200);
  });

  it('receive secrets in the query of every call, including failing ones', async () => {
    const query = new URLSearchParams({
      old_password: canaries.password,
      new_password: canaries.wrong_password,
      subject: canaries.query,
      message: canaries.letter,
      phone: canaries.phone,
      enable: canaries.query,
      limit: canaries.query,
    });
    for (const { method, path } of apiRoutes) {
      const address = `${path.replaceAll(/:\w+/g, canaries.query)}?${query}`;
      for (const options of [{}, { token }, { token: `${token}x` }])
        expect((await call(method, address, options)).status).toBeGreaterThan(0);
    }
    await call('GET', `/nothing/${canaries.query}?${query}`);
    await call('GET', `/%zz${canaries.query}?${query}`);
    const pages = [`/login?${query}`, `/${canaries.query}.js?${query}`];
    for (const page of pages) await (await fetch(`${gateway.url}${page}`)).text();
  });

  it('log one line per request, without personal data', async () => {
    const requests = gateway
      .log()
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(requests).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        route: '/api/users/me',
        status: 200,
        ms: expect.any(Number),
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    );
    const written = [...gateway.log(), ...accounts.log()].join('\n');
    for (const canary of [...Object.values(canaries), token, canaries.phone.slice(1), address])
      expect(written).not.toContain(canary);
  });
});

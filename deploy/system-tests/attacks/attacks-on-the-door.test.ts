import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createIdentitySigner,
  type Identity,
  type IdentityKey,
  identityHeader,
  identityIssuers,
} from '@daylift/server/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { identityKeyOf } from '../stack-secrets.ts';

const product = 'daylift.example';
const admin = 'admin.daylift.example';
let running: TestStack;
let port: number;

beforeAll(async () => {
  running = await startTestStack({
    PUBLIC_URL: `https://${product}`,
    ADMIN_URL: `https://${admin}`,
  });
  port = Number(new URL(running.stack.urls.gateway).port);
}, 180_000);
afterAll(() => running?.stop());

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function statusAt(host: string, path: string, sent: Sent = {}): Promise<number> {
  const { method = 'GET', headers, body } = sent;
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { accept: 'text/html', ...headers, host },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  await text(response);
  return response.statusCode;
}

/** Sends these lines as they are and returns the status of the response. */
async function statusOfRaw(...lines: string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return Number((await text(socket)).split(' ')[1]);
}

describe('The host of a request', () => {
  const spellings = [
    product,
    product.toUpperCase(),
    `${product}:443`,
    `${product}:8443`,
    `${product}.`,
    `${product}.:443`,
    'localhost',
    '127.0.0.1',
  ];

  test.each(spellings)('%s reaches no admin page, admin sign-in or admin API', async (host) => {
    const login = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(running.stack.adminCredentials),
    };
    expect(await statusAt(host, '/')).toBe(200);
    for (const path of ['/admin', '/admin/login', '/%61dmin/login', '/api/admin/users'])
      expect([path, await statusAt(host, path)]).toEqual([path, 404]);
    expect(await statusAt(host, '/api/admin/login', login)).toBe(404);
    expect(await statusAt(admin, '/api/admin/login', login)).toBe(200);
  });

  test.each(['attacker.example', `${product}.attacker.example`, '10.0.0.7:8080', `${product}..`])(
    '%s is unknown and gets nothing',
    async (host) => {
      for (const path of ['/', '/admin/login', '/api/faqs', '/readyz', '/metrics'])
        expect([path, await statusAt(host, path)]).toEqual([path, 421]);
    },
  );

  test("isn't taken from X-Forwarded-Host or an absolute request target", async () => {
    const forwarded = { headers: { 'x-forwarded-host': admin } };
    expect(await statusAt(product, '/admin/login', forwarded)).toBe(404);
    const raw = (target: string, host: string) =>
      statusOfRaw(`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
    expect(await raw(`http://${admin}/admin/login`, product)).toBe(421);
    expect(await raw(`http://${product}/admin/login`, admin)).toBe(421);
    expect(await raw(`http://${product}/admin/login`, product)).toBe(404);
    expect(await raw(`HTTP://${product}/api/faqs`, product)).toBe(200);
    expect(await statusOfRaw('GET /admin/login HTTP/1.0')).toBe(421);
  });
});

describe('Probes and metrics', () => {
  test('are not on the public port', async () => {
    for (const host of [product, admin, `${admin}:8080`, `${product}.`, 'localhost'])
      for (const path of ['/metrics', '/healthz', '/internal/settle']) {
        const json = { headers: { accept: 'application/json' } };
        expect([host, path, await statusAt(host, path, json)]).toEqual([host, path, 404]);
      }
    expect(await statusAt(product, '/readyz')).toBe(200);
  });

  test('are on the ops port of every process', async () => {
    const processes = running.stack
      .processes()
      .filter(({ name }) => !['postgres', 'redis', 'nats', 'sandbox'].includes(name));
    expect(processes).toHaveLength(7);
    for (const one of processes) {
      expect(one.opsPort).not.toBe(one.port);
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect((await fetch(`http://127.0.0.1:${one.opsPort}${path}`)).status).toBe(200);
      const open = await fetch(`http://127.0.0.1:${one.port}/metrics`);
      expect(open.status === 200).toBe(false);
    }
  });
});

describe('A service with a stolen key', () => {
  const owner: Identity = {
    kind: 'admin',
    admin_id: crypto.randomUUID(),
    username: 'owner',
    role: 'owner',
    session_version: 0,
  };
  const portOf = (service: string) =>
    running.stack.processes().find(({ name }) => name === service)?.port;
  const listUsers = (identity: Identity, key: IdentityKey, audience = 'accounts') => {
    const headers = { [identityHeader]: createIdentitySigner(key, audience)(identity) };
    return fetch(`http://127.0.0.1:${portOf('accounts')}/admin/users`, { headers });
  };

  test("can't vouch for an admin, in its own name or the gateway's", async () => {
    expect((await listUsers(owner, identityKeyOf(running.stack))).status).toBe(200);
    for (const issuer of identityIssuers.filter((one) => one !== 'gateway')) {
      const key = identityKeyOf(running.stack, issuer);
      expect((await listUsers(owner, key)).status).toBe(401);
      expect((await listUsers(owner, { ...key, issuer: 'gateway' })).status).toBe(401);
      expect((await listUsers({ kind: 'service', name: 'gateway' }, key)).status).toBe(401);
    }
  });

  test("can't forward an identity to a third service", async () => {
    const key = identityKeyOf(running.stack);
    for (const audience of ['billing', 'content', 'scheduler', 'sms-gateway'])
      expect((await listUsers(owner, key, audience)).status).toBe(401);
  });
});

test('every process has only its own signing key', () => {
  const environments = running.stack
    .processes()
    .map(({ name, pid }) => [name, readFileSync(`/proc/${pid}/environ`, 'utf8')] as const);
  for (const issuer of identityIssuers) {
    const { privateKey } = identityKeyOf(running.stack, issuer);
    const holders = environments.filter(([, environment]) => environment.includes(privateKey));
    expect(holders.map(([name]) => name)).toEqual([issuer]);
  }
});

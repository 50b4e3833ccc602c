import { randomUUID } from 'node:crypto';
import { listEndpoints } from '@daylift/contracts/endpoint';
import { createIdentitySigner, type Identity, identityHeader } from '@daylift/server/identity';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Access,
  type ApiRoute,
  apiRoutes,
  apis,
} from '../../services/gateway/src/routes-table.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';
import { claimsOf, identityKeyOf, signedToken, unsignedToken } from './stack-secrets.ts';

/** The gateway's expected response to a kind of caller: 401, 403, or neither. */
type Verdict = 401 | 403 | 'open';
type Kind = 'anonymous' | 'user' | 'ended user' | 'viewer' | 'operator' | 'owner' | 'ended admin';

let running: TestStack;
const credentials = new Map<string, { kind: Kind; token?: string }>();
const ids = { user: '', viewer: '', operator: '', owner: '' };

const rank: Partial<Record<Kind | Access, number>> = { self: 0, viewer: 0, operator: 1, owner: 2 };

/** Derives the expected response from the declaration. */
function verdictOf(access: Access, kind: Kind): Verdict {
  if (access === 'public' || access === 'visitor' || access === 'webhook') return 'open';
  if (kind === 'anonymous') return 401;
  const isUser = kind === 'user' || kind === 'ended user';
  if ((access === 'user') !== isUser) return 403;
  if (kind === 'ended user' || kind === 'ended admin') return 401;
  return isUser || (rank[kind] ?? -1) >= (rank[access] ?? 3) ? 'open' : 403;
}

/** Not JSON: authorized callers get 400 and nothing happens. */
const bodyFor = (method: string) =>
  method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'application/json' } };
const pathOf = ({ path }: ApiRoute) => path.replaceAll(/:(\w+)/g, () => randomUUID());

async function verdictFor(
  base: string,
  route: ApiRoute,
  headers: Record<string, string>,
): Promise<Verdict> {
  const { headers: typed, ...rest } = { headers: {}, ...bodyFor(route.method) };
  const response = await fetch(`${base}${pathOf(route)}`, {
    method: route.method,
    headers: { ...typed, ...headers },
    ...rest,
  });
  const text = await response.text();
  if (response.status !== 401 && response.status !== 403) return 'open';
  // An invalid signature or password isn't an authorization error.
  const { code } = JSON.parse(text) as { code: string };
  return code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? response.status : 'open';
}

async function anAdmin(role: 'viewer' | 'operator' | 'owner', owner: string) {
  const { product } = running;
  const [username, password] = [`matrix-${randomUUID().slice(0, 8)}`, 'a bright new morning'];
  const body = { username, email: `${username}@example.com`, role };
  const invited = await product.api<{ admin: { id: string }; invitation_url: string }>(
    'POST',
    '/admin/admins',
    body,
    owner,
  );
  const token = new URL(invited.body.invitation_url).hash.slice(1);
  await product.api('POST', '/admin/invitation', { token, password });
  return { id: invited.body.admin.id, token: await product.adminLogin({ username, password }) };
}

async function aUser(n: number) {
  const { product } = running;
  const [email, password] = [`matrix-${n}@example.com`, 'good morning'];
  const settings = { name: 'Ada', timezone: 'America/New_York', delivery_time: '09:00' };
  const phone = `+1415555090${n}`;
  const id = await product.signUp({ ...settings, email, password, phone });
  return { id, token: await product.login(email, password) };
}

const isEnded = (path: string, token: string) =>
  eventually(async () => (await running.product.api('GET', path, undefined, token)).status === 401);

beforeAll(async () => {
  running = await startTestStack();
  const { product, stack } = running;
  const owner = await product.adminLogin(stack.adminCredentials);
  const [user, paused, deleted] = [await aUser(1), await aUser(2), await aUser(3)];
  const [viewer, operator, ended] = [
    await anAdmin('viewer', owner),
    await anAdmin('operator', owner),
    await anAdmin('owner', owner),
  ];
  await product.api('POST', `/admin/users/${paused.id}/toggle-status`, {}, owner);
  await product.api('DELETE', `/admin/users/${deleted.id}`, undefined, owner);
  await product.api('PUT', `/admin/admins/${ended.id}`, { is_active: false }, owner);
  for (const { token } of [paused, deleted]) await isEnded('/users/me', token);
  await isEnded('/admin/me', ended.token);
  const claims = claimsOf(owner);
  const now = Math.floor(Date.now() / 1000);
  Object.assign(ids, {
    user: user.id,
    viewer: viewer.id,
    operator: operator.id,
    owner: claims.sub as string,
  });
  const rows: [string, Kind, string?][] = [
    ['no token', 'anonymous'],
    ['garbage', 'anonymous', 'garbage'],
    [
      'an expired token',
      'anonymous',
      signedToken(stack, { ...claims, iat: now - 99, exp: now - 9 }),
    ],
    ['an unsigned token', 'anonymous', unsignedToken(claims)],
    ['a user', 'user', user.token],
    ['a paused user', 'ended user', paused.token],
    ['a deleted user', 'ended user', deleted.token],
    [
      'a user who says to be an admin',
      'ended admin',
      signedToken(stack, { ...claimsOf(user.token), aud: 'admin' }),
    ],
    ['a viewer', 'viewer', viewer.token],
    ['an operator', 'operator', operator.token],
    ['an owner', 'owner', owner],
    ['a deactivated owner', 'ended admin', ended.token],
  ];
  for (const [name, kind, token] of rows)
    credentials.set(name, { kind, ...(token !== undefined && { token }) });
}, 180_000);

afterAll(() => running?.stop());

const named = apiRoutes.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('the gateway', () => {
  test.each(named)('%s accepts only the callers in its declaration', async (_name, route) => {
    const base = `${running.product.urls.gateway}/api`;
    for (const [caller, { kind, token }] of credentials) {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
      expect([caller, await verdictFor(base, route, headers)]).toEqual([
        caller,
        verdictOf(route.access, kind),
      ]);
    }
  });
});

const identities = (): [Kind | 'service', Identity | null][] => {
  const admin = (role: 'viewer' | 'operator' | 'owner'): Identity => ({
    kind: 'admin',
    admin_id: ids[role],
    username: role,
    role,
    session_version: 0,
  });
  return [
    ['anonymous', null],
    ['user', { kind: 'user', user_id: ids.user, session_version: 0, token_id: randomUUID() }],
    ['viewer', admin('viewer')],
    ['operator', admin('operator')],
    ['owner', admin('owner')],
    ['service', { kind: 'service', name: 'gateway' }],
  ];
};

const portOf = (service: string) =>
  running.stack.processes().find((one) => one.name === service)?.port ?? 0;
const baseOf = (service: string) => `http://127.0.0.1:${portOf(service)}`;
const internal = apis
  .filter(({ service }) => service !== 'gateway')
  .flatMap((api) => [
    ['GET', '/internal/errors', api.service] as const,
    ...listEndpoints(api)
      .filter(({ endpoint }) => endpoint.access === 'internal')
      .map(({ method, path }) => [method, path, api.service] as const),
  ]);
const inside = named.filter(([, route]) => route.upstream !== 'gateway');

describe('behind the gateway', () => {
  test.each(inside)('%s checks the same role itself', async (_name, route) => {
    const sign = createIdentitySigner(identityKeyOf(running.stack), route.upstream);
    for (const [kind, identity] of identities()) {
      const headers: Record<string, string> = identity ? { [identityHeader]: sign(identity) } : {};
      const isClosed = verdictOf(route.access, 'anonymous') !== 'open';
      const verdict =
        kind === 'service' ? (isClosed ? 403 : 'open') : verdictOf(route.access, kind);
      expect([kind, await verdictFor(baseOf(route.upstream), route, headers)]).toEqual([
        kind,
        verdict,
      ]);
    }
  });

  test.each(internal)('%s %s of %s is for services only', async (method, path, service) => {
    const sign = createIdentitySigner(identityKeyOf(running.stack), service);
    const url = `${baseOf(service)}${path.replaceAll(/:(\w+)/g, () => randomUUID())}`;
    for (const [kind, identity] of identities()) {
      const { headers: typed, ...rest } = { headers: {}, ...bodyFor(method) };
      const signed = identity ? { [identityHeader]: sign(identity) } : {};
      const { status } = await fetch(url, { method, headers: { ...typed, ...signed }, ...rest });
      const verdict = status === 401 || status === 403 ? status : 'open';
      expect([kind, verdict]).toEqual([
        kind,
        { anonymous: 401, service: 'open' }[kind as string] ?? 403,
      ]);
    }
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { signTestIdentity, testIdentityKey, testPublicKeys } from '@daylift/testing/identity';
import { createSigner } from 'fast-jwt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import {
  adminOf,
  createIdentitySigner,
  type Identity,
  identityHeader,
  registerIdentity,
  requireAdmin,
  requireService,
  requireUser,
  userOf,
} from './identity.ts';

const sign = signTestIdentity('billing');
const gateway = testIdentityKey('gateway');
const user: Identity = { kind: 'user', user_id: 'u-1', session_version: 3 };
const admin = (role: 'viewer' | 'operator' | 'owner'): Identity => ({
  kind: 'admin',
  admin_id: 'a-1',
  username: 'ada',
  role,
  session_version: 0,
});
const service: Identity = { kind: 'service', name: 'gateway' };

let app: Server;
beforeAll(async () => {
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  registerIdentity(app, testPublicKeys, 'billing');
  app.get('/public', async () => 'ok');
  app.get('/user', { onRequest: requireUser }, async (request) => userOf(request));
  app.get('/viewer', { onRequest: requireAdmin('viewer') }, async (request) => adminOf(request));
  app.get('/operator', { onRequest: requireAdmin('operator') }, async () => 'ok');
  app.get('/owner', { onRequest: requireAdmin('owner') }, async () => 'ok');
  app.get('/service', { onRequest: requireService }, async () => 'ok');
});
afterAll(() => app.close());

const get = (url: string, header?: string) =>
  app.inject({ url, headers: header === undefined ? {} : { [identityHeader]: header } });
const statuses = async (identity?: Identity) => {
  const urls = ['/user', '/viewer', '/operator', '/owner', '/service'];
  const header = identity && sign(identity);
  return Promise.all(urls.map(async (url) => (await get(url, header)).statusCode));
};

test('each guard accepts its own kind of caller', async () => {
  expect(await statuses()).toEqual([401, 401, 401, 401, 401]);
  expect(await statuses(user)).toEqual([200, 403, 403, 403, 403]);
  expect(await statuses(admin('viewer'))).toEqual([403, 200, 403, 403, 403]);
  expect(await statuses(admin('operator'))).toEqual([403, 200, 200, 403, 403]);
  expect(await statuses(admin('owner'))).toEqual([403, 200, 200, 200, 403]);
  expect(await statuses(service)).toEqual([403, 403, 403, 403, 200]);
  expect((await get('/public')).statusCode).toBe(200);
});

test('a route gets the identity', async () => {
  expect((await get('/user', sign(user))).json()).toMatchObject({
    user_id: 'u-1',
    session_version: 3,
  });
  expect((await get('/viewer', sign(admin('owner')))).json()).toMatchObject({
    username: 'ada',
    role: 'owner',
  });
});

describe('an identity is rejected, even where none is required,', () => {
  const claims = { ...user };
  const unsigned = [
    { alg: 'none', typ: 'JWT' },
    { ...claims, aud: 'billing' },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signed = (claims: object, options: object = {}, key = gateway) =>
    createSigner({
      key: key.privateKey,
      algorithm: 'EdDSA',
      iss: key.issuer,
      aud: 'billing',
      expiresIn: 60_000,
      ...options,
    })({ ...claims });
  const strangers = generateKeyPairSync('ed25519').privateKey;
  const unknownKey = strangers.export({ type: 'pkcs8', format: 'pem' }).toString();
  const accounts = testIdentityKey('accounts');
  const owner = admin('owner');
  const asGateway = { issuer: 'gateway', privateKey: accounts.privateKey } as const;

  test.each([
    ['that is no token', 'x'],
    ['without a signature', `${unsigned}.`],
    ['signed with an unknown key', signed(user, { key: unknownKey })],
    ['of an issuer that has no key', signed(user, { iss: 'content' })],
    ['without an issuer', signed(user, { iss: undefined })],
    ['signed by another service in the name of the gateway', signed(owner, {}, asGateway)],
    ['of an owner that another service vouches for', signed(owner, {}, accounts)],
    ['of a subscriber that another service vouches for', signed(user, {}, accounts)],
    ['of a service that another one vouches for', signed(service, {}, accounts)],
    ['signed for another service', createIdentitySigner(gateway, 'accounts')(user)],
    ['signed for no service', signed(user, { aud: undefined })],
    ['that never expires', signed(user, { expiresIn: undefined })],
    ['that is valid for an hour', signed(user, { expiresIn: hourMs })],
    ['that is more than a minute old', signed(user, { clockTimestamp: Date.now() - 61_000 })],
  ])('%s', async (_what, header) => {
    expect((await get('/public', header)).statusCode).toBe(401);
    expect((await get('/user', header)).statusCode).toBe(401);
  });
});

import { defineApi } from '@daylift/contracts/endpoint';
import { IdParams, NoFields } from '@daylift/contracts/fields';
import { signTestIdentity, testPublicKeys } from '@daylift/testing/identity';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import { type Identity, identityHeader, registerIdentity } from './identity.ts';
import { expectEndpoints, implement } from './implement.ts';

const Thing = Type.Object({ id: Type.String() });
const api = defineApi('content', {
  'GET /things': { access: 'public', summary: 'Things', response: Type.Array(Thing), paged: true },
  'POST /things': {
    access: 'operator',
    summary: 'Add a thing',
    body: Thing,
    response: Thing,
    status: 201,
  },
  'PUT /things/:id': {
    access: 'user',
    summary: 'Use a thing',
    params: IdParams,
    response: Thing,
    status: [200, 202],
  },
  'DELETE /things/:id': { access: 'owner', summary: 'Delete a thing', params: IdParams },
  'GET /internal/things': { access: 'internal', response: Thing },
  'POST /commands': { access: 'public', summary: 'Command', body: NoFields, response: Thing },
});

const id = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const thing = { id, password_hash: 'secret' };
const sign = signTestIdentity('content');
const identities: Record<string, Identity> = {
  user: { kind: 'user', user_id: 'u', session_version: 0 },
  viewer: { kind: 'admin', admin_id: 'a', username: 'a', role: 'viewer', session_version: 0 },
  operator: { kind: 'admin', admin_id: 'a', username: 'a', role: 'operator', session_version: 0 },
  owner: { kind: 'admin', admin_id: 'a', username: 'a', role: 'owner', session_version: 0 },
  service: { kind: 'service', name: 'gateway' },
};

async function anApp(): Promise<Server> {
  const app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  registerIdentity(app, testPublicKeys, 'content');
  expectEndpoints(app, api);
  return app;
}

const implementAll = (app: Server) =>
  implement(app, api, {
    'GET /things': () => ({ rows: [thing], total: 7 }),
    'POST /things': async ({ body }) => ({ ...thing, id: body.id }),
    'PUT /things/:id': ({ params }, reply) => {
      reply.code(202);
      return { id: params.id };
    },
    'DELETE /things/:id': async () => undefined,
    'GET /internal/things': () => thing,
    'POST /commands': () => thing,
  });

describe('an implemented endpoint', () => {
  let app: Server;
  beforeAll(async () => {
    app = await anApp();
    implementAll(app);
  });
  afterAll(() => app.close());
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    caller = '',
    body?: object,
  ) =>
    app.inject({
      method,
      url,
      headers:
        identities[caller] === undefined ? {} : { [identityHeader]: sign(identities[caller]) },
      ...(body && { payload: body }),
    });

  test.each([
    ['GET', '/things', [200, 200, 200, 200, 200, 200]],
    ['POST', '/things', [401, 403, 403, 201, 201, 403]],
    ['PUT', `/things/${id}`, [401, 202, 403, 403, 403, 403]],
    ['DELETE', `/things/${id}`, [401, 403, 403, 403, 204, 403]],
    ['GET', '/internal/things', [401, 403, 403, 403, 403, 200]],
  ] as const)('%s %s accepts the callers in its access', async (method, url, expected) => {
    const body = method === 'POST' ? { id } : undefined;
    const statuses = ['', ...Object.keys(identities)].map(
      async (caller) => (await call(method, url, caller, body)).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual(expected);
  });

  test('drops undeclared response fields', async () => {
    expect((await call('POST', '/things', 'owner', { id })).json()).toEqual({ id });
  });

  test('sends the total of a paged list in a header', async () => {
    const response = await call('GET', '/things');
    expect(response.json()).toEqual([{ id }]);
    expect(response.headers['x-total-count']).toBe('7');
  });

  test.each([{}, { 'content-type': 'application/json' }])(
    'treats a missing body as empty, with headers %j',
    async (headers) => {
      const response = await app.inject({ method: 'POST', url: '/commands', headers });
      expect(response.statusCode).toBe(200);
    },
  );

  test('rejects invalid input, after its guard', async () => {
    expect((await call('POST', '/things', '', {})).statusCode).toBe(401);
    expect((await call('POST', '/things', 'owner', {})).json()).toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await call('PUT', '/things/1', 'user')).statusCode).toBe(400);
  });
});

describe('an app that expects the endpoints of an API', () => {
  test("doesn't start without one of them", async () => {
    const app = await anApp();
    implement(app, api, { 'GET /things': () => ({ rows: [], total: 0 }) });
    await expect(app.ready()).rejects.toThrow('Not implemented: POST /things, PUT /things/:id');
  });

  test('rejects one of them registered twice', async () => {
    const app = await anApp();
    implementAll(app);
    expect(() => implementAll(app)).toThrow();
  });

  test('rejects an undeclared route', async () => {
    const app = await anApp();
    expect(() => app.get('/other', async () => null)).toThrow('GET /other is not an endpoint');
  });
});

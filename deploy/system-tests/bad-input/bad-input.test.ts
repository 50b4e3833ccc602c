import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRoute, apiRoutes } from '../../../services/gateway/src/routes-table.ts';
import type { ProductClient } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { type Document, type Operation, parametersOf } from './described-calls.ts';
import { taken, unknownId } from './field-rows.ts';
import { bodyTrials, goodOf, oddBodies, parameterTrials, type Sent, type Trial } from './trials.ts';

const calls = apiRoutes.filter((route) => route.access !== 'webhook');
const pathIn = ({ path }: ApiRoute) => `/api${path.replaceAll(/:(\w+)/g, '{$1}')}`;
const leaver = { ...taken, email: 'bea@example.com', phone: '+14155550102' };

let running: TestStack;
let product: ProductClient;
let document: Document;
const tokens = { user: '', admin: '' };

beforeAll(async () => {
  running = await startTestStack();
  product = running.product;
  const settings = { name: 'Ada', timezone: 'America/New_York', delivery_time: '09:00' };
  await product.pay(await product.openCheckout(await product.signUp({ ...settings, ...taken })));
  await product.signUp({ ...settings, ...leaver });
  tokens.user = await product.login(taken.email, taken.password);
  tokens.admin = await product.adminLogin(running.stack.adminCredentials);
  document = (await product.api<Document>('GET', '/docs/json')).body;
}, 180_000);

afterAll(() => running?.stop());

interface Got {
  status: number;
  body: unknown;
}

async function tokenOf(route: ApiRoute): Promise<string | undefined> {
  if (route.access === 'public' || route.access === 'visitor') return undefined;
  // A successful sign-out revokes the token.
  const isSignOut = route.path.endsWith('/logout');
  if (route.access !== 'user')
    return isSignOut ? product.adminLogin(running.stack.adminCredentials) : tokens.admin;
  return isSignOut ? product.login(leaver.email, leaver.password) : tokens.user;
}

async function send(route: ApiRoute, sent: Sent, method: string = route.method): Promise<Got> {
  const token = sent.token === undefined ? await tokenOf(route) : (sent.token ?? undefined);
  const path = route.path.replaceAll(
    /:(\w+)/g,
    (_all, name: string) => sent.path?.[name] ?? goodOf(name, route),
  );
  const response = await fetch(`${product.urls.gateway}/api${path}${sent.query ?? ''}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(sent.body !== undefined && { 'content-type': sent.type ?? 'application/json' }),
    },
    ...(sent.body !== undefined && { body: sent.body }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text };
}

function expectListed(operation: Operation, response: Got, what: string): void {
  const listed = Object.keys(operation.responses);
  expect(listed, `${what} -> ${JSON.stringify(response)}`).toContain(String(response.status));
  expect(response.status, what).toBeLessThan(500);
  if (response.status >= 400) expectSentence(response, what);
}

function expectSentence({ body }: Got, what: string): void {
  expect(body, what).toEqual({
    detail: expect.any(String),
    code: expect.stringMatching(/^[A-Z][A-Z0-9_]+$/),
    request_id: expect.any(String),
  });
  const { detail } = body as { detail: string };
  expect(detail.length, what).toBeGreaterThan(8);
  expect(detail, what).not.toMatch(/undefined|\[object|must match|FST_|at \w+ \(/);
}

/** Runs several at a time, like an attacker. */
async function tryAll(trials: Trial[], one: (trial: Trial) => Promise<void>): Promise<void> {
  const waiting = [...trials];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await one(next);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

test('the API docs match the declared routes, as OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(
    calls.map((one) => `${one.method} ${pathIn(one)}`).toSorted(),
  );
  for (const [path, item] of Object.entries(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of Object.values(item)) {
      expect(parametersOf(operation, 'path').map((one) => one.name)).toEqual(names);
      expect(Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status))).toBe(true);
      for (const name of operation.security.flatMap((one) => Object.keys(one)))
        expect(document.components.securitySchemes).toHaveProperty(name);
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response).toMatchObject({ description: expect.any(String) });
        if (Number(status) < 400) continue;
        expect(response.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Error',
        });
      }
    }
  }
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name ?? '');
});

describe.each(calls.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  '$name',
  ({ route }) => {
    const operationNow = (): Operation => {
      const operation = document.paths[pathIn(route)]?.[route.method.toLowerCase()];
      if (operation === undefined) throw new Error('This call is not described.');
      return operation;
    };

    test('responds to every invalid value of every field with a message and a listed status', async () => {
      const operation = operationNow();
      const hasBody = route.method === 'POST' || route.method === 'PUT';
      const trials = [
        ...(hasBody ? [...bodyTrials(route, operation), ...oddBodies(route, operation)] : []),
        ...parameterTrials(route, operation),
      ];
      await tryAll(trials, async ({ what, sent, refused }) => {
        const response = await send(route, sent);
        expectListed(operation, response, what);
        if (refused)
          expect(response.status, `${what} -> ${JSON.stringify(response)}`).toBeGreaterThanOrEqual(
            400,
          );
      });
    });
  },
);

test('an unknown URL is a 404 with a message, in the API and below it', async () => {
  for (const path of [
    '/nothing',
    '/users/me/nothing',
    '/internal/settle',
    '/internal/sessions',
    '/internal/errors',
    '/admin/nothing',
  ]) {
    const response = await product.api('GET', path, undefined, tokens.admin);
    expect(response.status, path).toBe(404);
    expectSentence(response, path);
  }
});

test('no undeclared method causes a 5xx', async () => {
  const known = new Set(calls.map((one) => `${one.method} ${one.path}`));
  const trials = calls.flatMap((route) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']
      .filter((method) => !known.has(`${method} ${route.path}`))
      .map((method) => ({ route, method })),
  );
  for (const { route, method } of trials) {
    const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
    const response = await send(
      route,
      { token: tokens.user, path: { id: unknownId }, ...(hasBody && { body: '{}' }) },
      method,
    );
    expect(response.status, `${method} ${route.path}`).toBeLessThan(500);
  }
});

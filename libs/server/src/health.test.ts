import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import type { ReadinessChecks } from './health.ts';
import { createOpsServer } from './ops-server.ts';

let app: Server;
let ops: Server;
afterEach(() => Promise.all([app.close(), ops.close()]));

async function serve(readiness: ReadinessChecks): Promise<Server> {
  app = createServer({ name: 'test', logLevel: 'silent', readiness });
  ops = createOpsServer(app);
  return app;
}

const fails = async () => {
  throw new Error('refused at 10.0.0.7');
};

test('a process is ready when all its checks pass', async () => {
  await serve({ database: async () => 1, events: async () => undefined });
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200);
});

test('a waiting process is alive, and only the ops server names what it waits for', async () => {
  await serve({ database: fails, events: async () => undefined, redis: fails });
  expect((await ops.inject({ url: '/healthz' })).statusCode).toBe(200);
  const outside = await app.inject({ url: '/readyz' });
  expect([outside.statusCode, outside.json().detail]).toEqual([503, 'Not ready yet.']);
  const response = await ops.inject({ url: '/readyz' });
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({
    code: 'NOT_READY',
    detail: 'Not ready yet: database, redis.',
  });
});

test('a hanging check counts as not ready, before the caller times out', async () => {
  await serve({ database: () => new Promise(() => undefined) });
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
}, 5_000);

test('a flood of requests causes one check at a time', async () => {
  let [running, most] = [0, 0];
  const database = async () => {
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
  };
  await serve({ database });
  const flood = Array.from({ length: 50 }, () => app.inject({ url: '/readyz' }));
  for (const { statusCode } of await Promise.all(flood)) expect(statusCode).toBe(200);
  expect(most).toBe(1);
});

test.each(['/healthz', '/metrics', '/internal/settle'])(
  '%s is not served beside the routes of the process',
  async (url) => {
    await serve({});
    expect((await app.inject({ url })).statusCode).toBe(404);
  },
);

import { afterEach, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import type { ReadinessChecks } from './health.ts';

let app: Server;
afterEach(() => app.close());

async function serve(readiness: ReadinessChecks): Promise<Server> {
  app = await createServer({ name: 'test', logLevel: 'silent', readiness });
  return app;
}

const fails = async () => {
  throw new Error('refused at 10.0.0.7');
};

test('a process is ready when everything it needs answers', async () => {
  await serve({ database: async () => 1, events: async () => undefined });
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200);
});

test('one that waits for something lives, is not ready, and names what it waits for and no more', async () => {
  await serve({ database: fails, events: async () => undefined, redis: fails });
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
  const answer = await app.inject({ url: '/readyz' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: 'NOT_READY',
    detail: 'Not ready yet: database, redis.',
  });
});

test('a check that never answers counts as not ready, in time for whoever asks', async () => {
  await serve({ database: () => new Promise(() => undefined) });
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
}, 5_000);

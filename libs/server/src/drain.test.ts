import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import { waitForClients } from './drain.ts';

let app: Server;
afterEach(() => app.close());

test('a closing server responds on existing connections, asks clients to leave, and waits for them', async () => {
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  app.addHook('preClose', () => waitForClients(app));
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  app.get('/quick', async () => ({}));
  app.get('/slow', async () => {
    arrive();
    await released;
    return {};
  });
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const request = async (path: string, agent: Agent): Promise<IncomingMessage> => {
    const [response] = await once(get(`${base}${path}`, { agent }), 'response');
    response.resume();
    await once(response, 'end');
    return response;
  };
  const [resting, busy] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  expect((await request('/quick', resting)).headers.connection).toBe('keep-alive');
  const slow = request('/slow', busy);
  await arrived;

  const startMs = performance.now();
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  const late = await request('/quick', resting);
  expect([late.statusCode, late.headers.connection]).toEqual([200, 'close']);
  expect(isClosed).toBe(false);
  release();
  const early = await slow;
  expect([early.statusCode, early.headers.connection]).toEqual([200, 'close']);
  await closed;
  expect(performance.now() - startMs).toBeLessThan(3_000);
});

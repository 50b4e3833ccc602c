import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testIdentityKey } from '@daylift/testing/identity';
import { afterEach, expect, test } from 'vitest';
import { createInternalClient } from './internal-client.ts';

const server = createServer();
afterEach(() => {
  server.removeAllListeners('request');
  server.close();
});

async function openClient() {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return createInternalClient({
    key: testIdentityKey('gateway'),
    to: 'accounts',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
}

test('a call with a lost connection is retried only once', async () => {
  let calls = 0;
  let losses = 1;
  server.on('request', (_request, response) => {
    calls += 1;
    if (calls <= losses) response.destroy();
    else response.end(JSON.stringify({ asked: calls }));
  });
  const client = await openClient();
  expect(await client.get('/')).toEqual({ asked: 2 });
  losses = Number.POSITIVE_INFINITY;
  await expect(client.get('/')).rejects.toThrow('The accounts service is unavailable right now.');
  expect(calls).toBe(4);
});

test('a response that breaks off counts as unavailable, like one that never came', async () => {
  server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"asked":', () => response.destroy());
  });
  const client = await openClient();
  await expect(client.get('/')).rejects.toThrow('The accounts service is unavailable right now.');
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testIdentityKey } from '@daylift/testing/identity';
import { afterEach, expect, test } from 'vitest';
import { createInternalClient } from './internal-client.ts';

const server = createServer();
afterEach(() => server.close());

test('a call with a lost connection is retried only once', async () => {
  let calls = 0;
  let losses = 1;
  server.on('request', (_request, response) => {
    calls += 1;
    if (calls <= losses) response.destroy();
    else response.end(JSON.stringify({ asked: calls }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = createInternalClient({
    key: testIdentityKey('gateway'),
    to: 'accounts',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  expect(await client.get('/')).toEqual({ asked: 2 });
  losses = Number.POSITIVE_INFINITY;
  await expect(client.get('/')).rejects.toThrow('The accounts service is unavailable right now.');
  expect(calls).toBe(4);
});

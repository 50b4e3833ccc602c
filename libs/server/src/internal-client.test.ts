import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testIdentityKey } from '@daylift/testing/identity';
import { afterEach, expect, test } from 'vitest';
import { createInternalClient } from './internal-client.ts';

const server = createServer();
afterEach(() => server.close());

test('a call with a lost connection is retried only once', async () => {
  let asked = 0;
  let losses = 1;
  server.on('request', (_request, response) => {
    asked += 1;
    if (asked <= losses) response.destroy();
    else response.end(JSON.stringify({ asked }));
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
  expect(asked).toBe(4);
});

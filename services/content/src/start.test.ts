import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@daylift/testing/eventually';
import { testPublicKeys } from '@daylift/testing/identity';
import { requiredUrl } from '@daylift/testing/servers';
import { type RunningProcess, startProcess } from '@daylift/testing/service-process';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: TestDatabase;
let content: RunningProcess | undefined;
let way: Server;
const sockets: Socket[] = [];
let refusals = 4;

beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'content',
    folder: join(import.meta.dirname, '../migrations'),
  });
  const { hostname, port } = new URL(database.url);
  way = createServer((socket) => {
    if (refusals > 0) {
      refusals -= 1;
      socket.destroy();
      return;
    }
    const server = connect(Number(port), hostname);
    for (const one of [socket, server]) sockets.push(one.on('error', () => undefined));
    socket.pipe(server).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
});
afterAll(async () => {
  await content?.stop();
  for (const socket of sockets) socket.destroy();
  way.close();
  await database.drop();
});

it('a process waits for a database that starts later, without logging each attempt', async () => {
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  // Tests usually reach the database over a socket.
  url.searchParams.delete('host');
  content = await startProcess('content', {
    DATABASE_URL: url.href,
    NATS_URL: requiredUrl('TEST_NATS_URL'),
    IDENTITY_PUBLIC_KEYS: testPublicKeys,
    PRODUCT_NAME: 'Daylift',
    SUPPORT_EMAIL: 'support@daylift.test',
  });
  const warnings = content.log().filter((line) => line.includes('server unreachable; retrying'));
  expect(warnings).toHaveLength(1);
  await eventually(async () => (await fetch(`${content?.url}/readyz`)).status === 200);
});

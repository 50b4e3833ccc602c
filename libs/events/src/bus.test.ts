import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { connectBus } from './bus.ts';

/** Starts the part of a NATS server that a client needs to connect. */
async function startListener(
  info: object,
): Promise<{ server: Server; introduced: Promise<string> }> {
  const received = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket.setEncoding('utf8');
    const greeting = {
      server_id: 'x',
      version: '2.9.10',
      proto: 1,
      headers: true,
      max_payload: 1e6,
    };
    socket.write(`INFO ${JSON.stringify({ ...greeting, ...info })}\r\n`);
    socket.on('data', (text: string) => {
      const [, introduction] = /CONNECT (\{.*?\})\r\n/.exec(text) ?? [];
      if (introduction !== undefined) received.resolve(introduction);
      for (const _ping of text.matchAll(/PING\r\n/g)) socket.write('PONG\r\n');
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, introduced: received.promise };
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

it.each([
  ['daylift:p%40ss@', { user: 'daylift', pass: 'p@ss' }],
  ['s3cret@', { auth_token: 's3cret' }],
])('NATS accepts name, password and token from the URL: %s', async (access, expected) => {
  const { server, introduced } = await startListener({ auth_required: true });
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  const bus = await connectBus({ url: `nats://${access}127.0.0.1:${port}`, name: 'test' });
  expect(JSON.parse(await introduced)).toMatchObject(expected);
  await bus.nats.close();
});

it('tls:// sends nothing to a server without TLS, on any attempt', async () => {
  const { server, introduced } = await startListener({});
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  // Keeps retrying, as for any unreachable server; the end of the process stops it.
  void connectBus({ url: `tls://daylift:secret@127.0.0.1:${port}`, name: 'test' });
  const connectedTwice = once(server, 'connection').then(() => once(server, 'connection'));
  expect(await Promise.race([connectedTwice.then(() => 'nothing'), introduced])).toBe('nothing');
});

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTravellingClock } from './clock.ts';
import { hourMs } from './durations.ts';
import { connectSandboxClock, followSandboxClock } from './sandbox-clock.ts';

const waiting = { timeout: 5_000, interval: 10 };

let stopping: AbortController;
let streams: ServerResponse[];
let registered: string[];
/** Responses of GET /sandbox/clock in order; the last one repeats. */
let responses: { status: number; body: string }[];
let url: string;
const server = createServer((request, response) => {
  if (request.url === '/sandbox/clock') {
    const next = responses.length > 1 ? responses.shift() : responses[0];
    response.writeHead(next?.status ?? 500).end(next?.body);
    return;
  }
  registered.push(request.url ?? '');
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  streams.push(response);
});

beforeEach(async () => {
  stopping = new AbortController();
  [streams, registered, responses] = [[], [], []];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  stopping.abort();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const aheadMs = (clock: { now(): Date }) => clock.now().getTime() - Date.now();
const event = (offset_ms: number) => `event: clock\ndata: ${JSON.stringify({ offset_ms })}\n\n`;

function follow() {
  const clock = createTravellingClock(0);
  const followed = followSandboxClock({
    sandboxUrl: url,
    process: 'billing',
    settleUrl: 'http://127.0.0.1:4000/internal/settle',
    clock,
    signal: stopping.signal,
  });
  return { clock, followed };
}
const streamOf = (index: number) => vi.waitUntil(() => streams[index], waiting);

test('a process waits until the sandbox responds and starts with its offset', async () => {
  responses = [
    { status: 503, body: JSON.stringify({ detail: 'Too busy.' }) },
    { status: 200, body: JSON.stringify({ offset_ms: 26 * hourMs }) },
  ];
  const clock = await connectSandboxClock(url, stopping.signal);
  expect(aheadMs(clock)).toBeGreaterThanOrEqual(26 * hourMs - 5);
  expect(aheadMs(clock)).toBeLessThan(26 * hourMs + 1_000);
});

test('a connection without a response is retried', async () => {
  responses = [{ status: 200, body: JSON.stringify({ offset_ms: hourMs }) }];
  const [answer] = server.listeners('request') as [(...args: unknown[]) => void];
  server.removeAllListeners('request').once('request', () => server.on('request', answer));
  const clock = await connectSandboxClock(url, stopping.signal);
  expect(aheadMs(clock)).toBeGreaterThanOrEqual(hourMs - 5);
});

test('waiting ends with the process', async () => {
  responses = [{ status: 503, body: 'never' }];
  const connecting = connectSandboxClock(url, stopping.signal);
  stopping.abort();
  await expect(connecting).rejects.toThrow();
});

test('the stream identifies the process and delivers offsets, also in fragments and between heartbeats', async () => {
  const { clock } = follow();
  const stream = await streamOf(0);
  expect(registered).toEqual([
    '/sandbox/clock/stream?process=billing&service=billing&settle_url=http%3A%2F%2F127.0.0.1%3A4000%2Finternal%2Fsettle',
  ]);
  const text = `: heartbeat\n\n${event(hourMs)}`;
  stream.write(text.slice(0, 40));
  stream.write(text.slice(40));
  await vi.waitUntil(() => aheadMs(clock) > hourMs - 5, waiting);
  stream.write(`: heartbeat\n\n${event(2 * hourMs)}${event(3 * hourMs)}`);
  await vi.waitUntil(() => aheadMs(clock) > 3 * hourMs - 5, waiting);
});

test('time never goes back, even after a smaller offset', () => {
  const clock = createTravellingClock(5 * hourMs);
  clock.adopt(2 * hourMs);
  expect(aheadMs(clock)).toBeGreaterThan(5 * hourMs - 5);
});

test('after a lost stream the process registers again with the last offset', async () => {
  const { clock } = follow();
  (await streamOf(0)).write(event(hourMs));
  await vi.waitUntil(() => aheadMs(clock) > hourMs - 5, waiting);
  streams[0]?.destroy();
  const reconnected = await streamOf(1);
  expect(aheadMs(clock)).toBeGreaterThan(hourMs - 5);
  reconnected.write(event(2 * hourMs));
  await vi.waitUntil(() => aheadMs(clock) > 2 * hourMs - 5, waiting);
});

test('following ends with the process', async () => {
  const { followed } = follow();
  await streamOf(0);
  stopping.abort();
  await followed;
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SMS_FROM, sandboxEnvironment, telnyxClient } from '../test/harness.ts';
import type { Text } from './telnyx/texts.ts';

let dir: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-main-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(dir, { recursive: true });
});

const main = new URL('./main.ts', import.meta.url).pathname;

function run(extra: Record<string, string> = {}): ChildProcess {
  const environment = { ...sandboxEnvironment(dir, 'http://127.0.0.1:9'), LOG_LEVEL: 'info' };
  child = spawn(process.execPath, [main], {
    env: { ...environment, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return child;
}

async function start(): Promise<string> {
  for await (const line of createInterface({ input: run().stdout! })) {
    const entry = JSON.parse(line) as { msg: string; address?: string };
    if (entry.msg === 'ready' && entry.address !== undefined) return entry.address;
  }
  throw new Error(await text(child!.stderr!));
}

it('keeps every acknowledged text through a kill -9', async () => {
  const telnyx = telnyxClient(await start());
  const answered: string[] = [];
  const sends = Array.from({ length: 200 }, async (_, n) => {
    const to = `+1212555${String(1_000 + n)}`;
    const { data } = await telnyx.messages.send({ to, from: SMS_FROM, text: 'x' });
    answered.push(data!.id!);
    if (answered.length === 60) child?.kill('SIGKILL');
  });
  await Promise.allSettled(sends);
  expect(answered.length).toBeGreaterThanOrEqual(60);
  const log = (await (await fetch(`${await start()}/sandbox/messages`)).json()) as Text[];
  const known = new Set(log.map(({ id }) => id));
  expect(answered.filter((id) => !known.has(id))).toEqual([]);
});

it('logs no error when a caller disconnects while the clock is advancing', async () => {
  const address = await start();
  const lines: string[] = [];
  createInterface({ input: child!.stdout! }).on('line', (line) => lines.push(line));
  const leaving = new AbortController();
  const settling = createServer((request, response) => {
    leaving.abort();
    request.resume();
    setImmediate(() => response.end('{"busy":0,"work":0,"next_at":null}'));
  }).listen(0, '127.0.0.1');
  await once(settling, 'listening');
  const { port } = settling.address() as AddressInfo;
  const following = new AbortController();
  const settleUrl = encodeURIComponent(`http://127.0.0.1:${port}/`);
  const query = `process=slow&settle_url=${settleUrl}`;
  await fetch(`${address}/sandbox/clock/stream?${query}`, { signal: following.signal });
  const journey = fetch(`${address}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"settle":true}',
    signal: leaving.signal,
  });
  await expect(journey).rejects.toThrow('aborted');
  following.abort();
  const ended = once(child!, 'close');
  child?.kill('SIGINT');
  await ended;
  settling.close();
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it.each([
  ['STRIPE_API_KEY', 'sk_live_51abcdef'],
  ['TELNYX_API_KEY', 'KEY018A6B2C3D4E5F60718293A4B5C6D7E8_abc'],
  ['SOMETHING_ELSE', 'x=rk_live_51abcdef'],
  ['PUBLIC_KEY', 'pk_live_51abcdef'],
])('does not start beside a live key in %s, and does not repeat it', async (name, value) => {
  const process = run({ [name]: value });
  const [errors, code] = await Promise.all([
    text(process.stderr!),
    new Promise((resolve) => process.once('exit', resolve)),
  ]);
  expect(code).not.toBe(0);
  expect(errors).toContain(`${name} looks like a live key`);
  expect(errors).not.toContain(value);
});

it('serves its page without inline scripts', async () => {
  const address = await start();
  const page = await fetch(address);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*src=)|\son\w+=/);
  for (const path of ['/sandbox/page.css', '/sandbox/page.js', '/readyz', '/metrics']) {
    expect((await fetch(`${address}${path}`)).status).toBe(200);
  }
});

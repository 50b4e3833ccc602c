import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTravellingClock } from '@daylift/clock/clock';
import { hourMs } from '@daylift/clock/durations';
import { afterEach, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import { registerSettle } from './run-process.ts';

let app: Server | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

test('a settle call without an offset is rejected and moves no clock', async () => {
  const server = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  app = server;
  const clock = createTravellingClock(0);
  const settled = { busy: 0, work: 0, next_at: null };
  registerSettle(server, clock, { settle: async () => settled });
  const post = (payload?: object) =>
    server.inject({ method: 'POST', url: '/internal/settle', ...(payload && { payload }) });
  for (const payload of [undefined, {}, { offset_ms: 'x' }, { offset_ms: 1e300 }])
    expect((await post(payload)).statusCode).toBe(400);
  expect(clock.now().getTime() - Date.now()).toBeLessThan(1_000);
  const response = await post({ offset_ms: hourMs });
  expect([response.statusCode, response.json()]).toEqual([200, settled]);
  expect(clock.now().getTime() - Date.now()).toBeGreaterThan(3_590_000);
});

test('a process stopped while waiting for the clock exits cleanly', async () => {
  const silent = createHttpServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const config = { LOG_LEVEL: 'info', SANDBOX_URL: url, OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const script = `
    import { runProcess } from ${JSON.stringify(new URL('./run-process.ts', import.meta.url).href)};
    await runProcess('test', ${JSON.stringify({ ...config, OTEL_TRACES_SAMPLER_ARG: 1 })});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const logged = text(child.stdout);
  await once(silent, 'request');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await logged).not.toContain('uncaught error');
  silent.close();
});

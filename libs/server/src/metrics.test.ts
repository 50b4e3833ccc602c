import { systemClock } from '@daylift/clock/clock';
import { hourMs } from '@daylift/clock/durations';
import { register } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import { createLogger } from './logger.ts';
import { createLoops } from './loops.ts';
import { registerGauges } from './metrics.ts';
import { createOpsServer } from './ops-server.ts';

let app: Server;
let ops: Server;
beforeEach(async () => {
  // Earlier files of the same worker measured into the same registry.
  register.resetMetrics();
  register.setDefaultLabels({ process: 'test' });
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  ops = createOpsServer(app);
});
afterEach(() => Promise.all([app.close(), ops.close()]));

const metrics = async () => (await ops.inject({ url: '/metrics' })).body;
const linesOf = async (name: string) =>
  (await metrics()).split('\n').filter((line) => line.startsWith(name));

test('requests are measured by route pattern, method and status class', async () => {
  app.get('/users/:id', async () => 'ok');
  await app.inject({ url: '/users/4711?phone=15551234567' });
  await app.inject({ url: '/no/such/4711' });
  const counts = await linesOf('http_server_request_duration_seconds_count');
  expect(counts).toEqual([
    'http_server_request_duration_seconds_count{process="test",method="GET",route="/users/:id",status="2xx"} 1',
    'http_server_request_duration_seconds_count{process="test",method="GET",route="none",status="4xx"} 1',
  ]);
  expect((await metrics()).replaceAll(/ \S+$/gm, '')).not.toMatch(/4711|1555/);
});

test('probes are excluded from request metrics', async () => {
  for (const server of [app, ops])
    for (const url of ['/healthz', '/readyz', '/metrics']) await server.inject({ url });
  expect(await metrics()).not.toMatch(/route="\/(healthz|readyz|metrics)"/);
});

test("a metric is read on demand; one that can't be read doesn't hide others", async () => {
  let length = 3;
  registerGauges([
    { name: 'test_length', help: 'x', read: async () => length },
    {
      name: 'test_broken',
      help: 'x',
      read: async () => {
        throw new Error('no database');
      },
    },
    {
      name: 'test_parts',
      help: 'x',
      labelNames: ['part'],
      read: async () => [{ labels: { part: 'one' }, value: 7 }],
    },
  ]);
  expect(await linesOf('test_')).toEqual([
    'test_length{process="test"} 3',
    'test_parts{part="one",process="test"} 7',
  ]);
  length = 4;
  expect(await linesOf('test_length')).toEqual(['test_length{process="test"} 4']);
});

describe('a slow metric', () => {
  let reads = 0;
  let answer: (value: number) => void = () => undefined;
  beforeEach(() => {
    reads = 0;
    const read = () => {
      reads += 1;
      return new Promise<number>((resolve) => {
        answer = resolve;
      });
    };
    registerGauges([{ name: 'test_slow', help: 'x', read }]);
  });
  afterEach(() => {
    vi.useRealTimers();
    registerGauges([{ name: 'test_slow', help: 'x', read: async () => null }]);
  });

  test('is read once at a time, shared by concurrent callers', async () => {
    let scrapes = 0;
    const allScraping = Promise.withResolvers<void>();
    ops.addHook('preHandler', async () => {
      scrapes += 1;
      if (scrapes === 2) setImmediate(allScraping.resolve);
    });
    const both = Promise.all([metrics(), metrics()]);
    await allScraping.promise;
    answer(5);
    for (const text of await both) expect(text).toContain('test_slow{process="test"} 5');
    expect(reads).toBe(1);
  });

  test('is omitted after a timeout, without hiding others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const scrape = metrics();
    await vi.waitUntil(() => reads > 0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await scrape).not.toContain('test_slow{');
    expect(await scrape).toContain('process_cpu_seconds_total');
    answer(5);
  });
});

test('a loop reports its last run and its failures', async () => {
  let fails = false;
  const loops = createLoops(
    [
      {
        name: 'often',
        everyMs: 1_000,
        run: async () => {
          if (fails) throw new Error('no');
          return 0;
        },
      },
      { name: 'seldom', everyMs: hourMs, run: async () => 0 },
    ],
    { clock: systemClock, log: createLogger('test', 'silent') },
  );
  const before = Date.now() / 1_000;
  await loops.settle();
  fails = true;
  await expect(loops.settle()).rejects.toThrow();
  const [line, ...others] = await linesOf('loop_last_success_timestamp_seconds');
  expect(others).toEqual([]);
  expect(line).toContain('loop="often"');
  expect(Number(line?.split(' ').at(-1))).toBeGreaterThanOrEqual(before);
  expect(await linesOf('loop_failures_total')).toEqual([
    'loop_failures_total{loop="often",process="test"} 1',
  ]);
});

test('a loop that never succeeds reports its start, so it alerts', async () => {
  const failed = Promise.withResolvers<void>();
  const loops = createLoops(
    [
      {
        name: 'broken',
        everyMs: 1,
        run: async () => {
          failed.resolve();
          throw new Error('no');
        },
      },
      { name: 'rare', everyMs: hourMs, run: async () => 0 },
    ],
    { clock: systemClock, log: createLogger('test', 'silent') },
  );
  const began = Date.now() / 1_000;
  loops.start();
  await failed.promise;
  await loops.stop();
  const lines = await linesOf('loop_last_success_timestamp_seconds');
  const line = lines.find((one) => one.includes('loop="broken"'));
  expect(Number(line?.split(' ').at(-1))).toBeGreaterThanOrEqual(began);
  expect(lines.filter((one) => one.includes('loop="rare"'))).toEqual([]);
});

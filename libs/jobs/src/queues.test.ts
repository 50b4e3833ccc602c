import { once } from 'node:events';
import { Worker as Thread } from 'node:worker_threads';
import { exportTraces } from '@daylift/telemetry/export-traces';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { startTraceCollector } from '@daylift/testing/trace-collector';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createQueues, type JobQueues } from './queues.ts';
import { type JobWorkers, runWorkers } from './run-worker.ts';

/** A Redis database that no other test uses, so it can be emptied. */
const redisUrl = `${requiredUrl('TEST_REDIS_URL')}/15`;
let name: string;
let queues: JobQueues;
let workers: JobWorkers | undefined;
let handled: string[];
let failed: number;
beforeEach(async () => {
  name = `${uniquePrefix()}sms`;
  [handled, failed] = [[], 0];
  workers = undefined;
  queues = createQueues({ redisUrl, name, onError: () => undefined });
  await eventually(() =>
    queues.check().then(
      () => true,
      () => false,
    ),
  );
});
afterEach(async () => {
  await workers?.close();
  await queues.close();
});

type Handle = Parameters<typeof runWorkers>[0]['handle'];
const remember: Handle = async ({ ids }) => void handled.push(...ids);
function work(handle: Handle = remember, concurrency = 2): JobWorkers {
  workers = runWorkers({
    redisUrl,
    name,
    concurrency,
    handle,
    onFailed: () => {
      failed += 1;
    },
    onError: () => undefined,
  });
  return workers;
}
const jobs = (...ids: string[]) => ids.map((id) => ({ ids: [id], isUrgent: false }));
const handledAll = (count: number) => eventually(() => handled.length >= count);
async function flush(): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
}

test('every job runs once', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `id-${index}`);
  await queues.add(jobs(...ids));
  expect(await queues.counts()).toEqual({ waiting: 40, active: 0 });
  work();
  await handledAll(40);
  expect(handled.sort()).toEqual(ids.sort());
  await eventually(async () => (await queues.counts()).waiting === 0);
});

test('urgent jobs run even if others fill every slot', async () => {
  const gate = Promise.withResolvers<void>();
  work(async (job) => {
    await remember(job);
    if (!job.isUrgent) await gate.promise;
  }, 1);
  await queues.add(jobs('a', 'b', 'c'));
  await handledAll(1);
  await queues.add([{ ids: ['x', 'y'], isUrgent: true }]);
  await handledAll(3);
  expect(handled).toEqual(['a', 'x', 'y']);
  gate.resolve();
  await handledAll(5);
});

test('jobs lost with Redis can be added again with the same id, before and after workers start', async () => {
  await queues.add(jobs('a', 'b', 'c'));
  await flush();
  expect(await queues.counts()).toEqual({ waiting: 0, active: 0 });
  work();
  await queues.add(jobs('a', 'b', 'c'));
  await handledAll(3);
  await flush();
  await queues.add(jobs('a', 'b', 'c'));
  await handledAll(6);
  expect(handled.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});

test('a failed job is removed: its row decides what is left to do', async () => {
  work(async (job) => {
    await remember(job);
    if (job.ids[0] === 'bad') throw new Error('no');
  });
  await queues.add(jobs('bad', 'good'));
  await handledAll(2);
  await eventually(async () => {
    const { waiting, active } = await queues.counts();
    return waiting + active === 0;
  });
  expect([handled.sort(), failed]).toEqual([['bad', 'good'], 1]);
});

test('jobs run up to the concurrency, and closing waits for them', async () => {
  const gates: (() => void)[] = [];
  let ended = 0;
  const { close } = work(async (job) => {
    await remember(job);
    await new Promise<void>((resolve) => gates.push(resolve));
    ended += 1;
  }, 2);
  await queues.add(jobs(...Array.from({ length: 20 }, (_, index) => `id-${index}`)));
  await handledAll(2);
  expect(await queues.counts()).toEqual({ waiting: 18, active: 2 });
  const closing = close();
  for (const open of gates) open();
  await closing;
  expect([handled.length, ended]).toEqual([2, 2]);
});

test('jobs of workers killed one after the other run elsewhere, each within 15 seconds', async () => {
  const { href } = new URL('./run-worker.ts', import.meta.url);
  const options = JSON.stringify({ redisUrl, name, concurrency: 1 });
  const handle = `() => new Promise(() => require('node:worker_threads').parentPort.postMessage(1))`;
  const never = `{ handle: ${handle}, onFailed() {}, onError() {} }`;
  const source = `import('${href}').then((it) => it.runWorkers({ ...${options}, ...${never} }))`;
  await queues.add(jobs('a'));
  for (let killed = 0; killed < 2; killed += 1) {
    const thread = new Thread(source, { eval: true });
    await once(thread, 'message', { signal: AbortSignal.timeout(15_000) });
    await thread.terminate();
  }
  work();
  await eventually(() => handled.length === 1, { within: 15_000 });
}, 60_000);

test('without Redis a producer fails fast instead of hanging', async () => {
  const lost = createQueues({
    redisUrl: 'redis://127.0.0.1:1',
    name,
    onError: () => undefined,
  });
  await expect(lost.add(jobs('a'))).rejects.toThrow();
  await expect(lost.check()).rejects.toThrow();
  await lost.close();
}, 5_000);

test('a producer created before Redis was up works once it is', async () => {
  const early = createQueues({ redisUrl, name, onError: () => undefined });
  await expect(early.add(jobs('a'))).rejects.toThrow();
  await eventually(() =>
    early.add(jobs('a')).then(
      () => true,
      () => false,
    ),
  );
  expect((await early.counts()).waiting).toBe(1);
  await early.close();
});

test('a job continues its trace', async () => {
  const collector = await startTraceCollector();
  const stopExport = exportTraces({ service: 'test', endpoint: collector.url, ratio: 1 });
  const trace = '11111111111111111111111111111111';
  const handledIn: (string | null)[] = [];
  work(async () => void handledIn.push(currentTraceparent()));
  await queues.add([
    { ids: ['a', 'c'], isUrgent: false, traceparent: `00-${trace}-2222222222222222-01` },
    { ids: ['b'], isUrgent: false, traceparent: null },
  ]);
  await eventually(() => handledIn.length === 2);
  expect(handledIn.map((one) => one?.split('-')[1]).toSorted()).toEqual([trace, undefined]);
  await stopExport();
  expect(collector.spans()).toMatchObject([
    { trace_id: trace, parent_id: '2222222222222222', attributes: { 'daylift.texts': 2 } },
  ]);
  collector.close();
});

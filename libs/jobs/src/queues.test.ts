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
const shards = 2;

let name: string;
let queues: JobQueues;
let workers: JobWorkers | undefined;
let handled: string[];
let failed: string[];
beforeEach(async () => {
  name = `${uniquePrefix()}sms`;
  [handled, failed] = [[], []];
  workers = undefined;
  queues = createQueues({ redisUrl, name, shards, onError: () => undefined });
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

const remember = async (id: string) => void handled.push(id);
function work(handle: (id: string) => Promise<void> = remember, concurrency = 2): JobWorkers {
  workers = runWorkers({
    redisUrl,
    name,
    shards,
    concurrency,
    handle,
    onFailed: (_error, id) => failed.push(id),
    onError: () => undefined,
  });
  return workers;
}
const pointers = (...ids: string[]) => ids.map((id) => ({ id, round: 0 }));
const handledAll = (count: number) => eventually(() => handled.length >= count);
async function flush(): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  redis.disconnect();
}

test('every job runs once, in any shard', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `id-${index}`);
  await queues.add(pointers(...ids));
  expect(await queues.counts()).toEqual({ waiting: 40, active: 0 });
  const { done } = work();
  await eventually(() => done() === 40);
  expect(handled.sort()).toEqual(ids.sort());
  await eventually(async () => (await queues.counts()).waiting === 0);
});

test('the same id and round is one job, the next round another', async () => {
  await Promise.all([queues.add(pointers('a')), queues.add(pointers('a', 'a'))]);
  expect((await queues.counts()).waiting).toBe(1);
  await queues.add([{ id: 'a', round: 1 }]);
  expect((await queues.counts()).waiting).toBe(2);
});

test('jobs lost with Redis can be added again with the same id, before and after workers start', async () => {
  await queues.add(pointers('a', 'b', 'c'));
  await flush();
  expect(await queues.counts()).toEqual({ waiting: 0, active: 0 });
  work();
  await queues.add(pointers('a', 'b', 'c'));
  await handledAll(3);
  await flush();
  await queues.add(pointers('a', 'b', 'c'));
  await handledAll(6);
  expect(handled.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});

test('a failed job is removed: its row decides what is left to do', async () => {
  const { done } = work(async (id) => {
    await remember(id);
    if (id === 'bad') throw new Error('no');
  });
  await queues.add(pointers('bad', 'good'));
  await eventually(() => done() === 2);
  await eventually(async () => {
    const { waiting, active } = await queues.counts();
    return waiting + active === 0;
  });
  expect([handled.sort(), failed]).toEqual([['bad', 'good'], ['bad']]);
});

test('jobs run up to the concurrency, and closing waits for them', async () => {
  const gates: (() => void)[] = [];
  let ended = 0;
  const { close } = work(async (id) => {
    await remember(id);
    await new Promise<void>((resolve) => gates.push(resolve));
    ended += 1;
  }, 1);
  await queues.add(pointers(...Array.from({ length: 20 }, (_, index) => `id-${index}`)));
  await handledAll(shards);
  expect(await queues.counts()).toEqual({ waiting: 20 - shards, active: shards });
  const closing = close();
  for (const open of gates) open();
  await closing;
  expect([handled.length, ended]).toEqual([shards, shards]);
});

test('without Redis a producer fails soon instead of hanging', async () => {
  const lost = createQueues({
    redisUrl: 'redis://127.0.0.1:1',
    name,
    shards,
    onError: () => undefined,
  });
  await expect(lost.add(pointers('a'))).rejects.toThrow();
  await expect(lost.check()).rejects.toThrow();
  await lost.close();
}, 5_000);

test('a producer created before Redis was up works once it is', async () => {
  const early = createQueues({ redisUrl, name, shards, onError: () => undefined });
  await expect(early.add(pointers('a'))).rejects.toThrow();
  await eventually(() =>
    early.add(pointers('a')).then(
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
    { id: 'a', round: 0, traceparent: `00-${trace}-2222222222222222-01` },
    { id: 'b', round: 0, traceparent: null },
  ]);
  await eventually(() => handledIn.length === 2);
  expect(handledIn.map((one) => one?.split('-')[1]).toSorted()).toEqual([trace, undefined]);
  await stopExport();
  expect(collector.spans()).toMatchObject([
    { trace_id: trace, parent_id: '2222222222222222', attributes: { 'daylift.pointer': 'a' } },
  ]);
  collector.close();
});

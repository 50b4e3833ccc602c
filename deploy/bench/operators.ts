import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chooseFreePorts } from '../local/ports.ts';
import { loadSecrets } from '../local/secrets.ts';
import { fillDatabase } from '../local/seed/fill-database.ts';
import { dueHour } from '../local/seed/people.ts';
import { type Stack, startStack } from '../local/stack.ts';
import { prepareAdminReads } from '../system-tests/at-size/admin-reads.ts';
import { createProductClient } from '../system-tests/product-client.ts';
import { measureExport } from './export.ts';
import type { Figure } from './figure.ts';
import { percentile } from './http-load.ts';

const rounds = 20;
const size = { subscribers: 50_000, texts: 300_000, due: 5_000 };

/**
 * Measures the response time of each read endpoint of the admin pages with many subscribers, compared with none: on an
 * ordinary day, and during a freeze with a busy hour waiting. Then measures the memory of an export. To use seeded
 * data, set DATA_DIR, and CLOCK_START to the instant of the seed.
 */
export async function measureOperators(): Promise<Figure[]> {
  const seeded = process.env.DATA_DIR;
  const empty = await mkdtemp(join(tmpdir(), 'daylift-bench-'));
  try {
    const none = await withStack(empty, measure);
    return await withStack(seeded ?? empty, async (stack) => {
      if (seeded === undefined) await seed(stack);
      const calm = await measure(stack);
      const { admin, now } = await queueBusyHour(stack);
      const frozen = await measure(stack);
      return [
        ...compare(calm, none, 'with many subscribers'),
        ...compare(frozen, none, 'during a freeze'),
        await measureExport(stack, admin, now),
      ];
    });
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

function compare(measured: Map<string, number>, none: Map<string, number>, when: string): Figure[] {
  return [...measured].map(([call, ms]) => {
    const few = none.get(call) ?? Number.NaN;
    return {
      what: `GET ${call}, 95th percentile ${when} (baseline: no subscribers)`,
      ours: `${ms.toFixed(0)} ms`,
      baseline: `${few.toFixed(0)} ms`,
      ratio: ms / few,
      better: 'lower' as const,
    };
  });
}

/** Freezes sending and moves the clock into a busy hour, until all its texts are in the queue. */
async function queueBusyHour(stack: Stack): Promise<{ admin: string; now: Date }> {
  const product = createProductClient(stack.urls);
  const hour = dueHour(await product.now());
  const signIn = () => product.adminLogin(stack.adminCredentials);
  await product.api('POST', '/admin/freeze', {}, await signIn());
  // Texts are waiting, so the product never settles: don't wait for it.
  const journey = { advance_to: hour.toISOString(), cap_ms: 1_000 };
  await product.sandbox('POST', '/sandbox/clock', journey);
  const admin = await signIn();
  for (let waiting = -1, same = 0; same < 5; ) {
    await delay(2_000);
    const status = await product.api<{ pending_jobs: number }>(
      'GET',
      '/admin/scheduler/status',
      undefined,
      admin,
    );
    if (status.status !== 200) continue;
    same = status.body.pending_jobs === waiting ? same + 1 : 0;
    waiting = status.body.pending_jobs;
  }
  return { admin, now: hour };
}

async function withStack<T>(dataDir: string, work: (stack: Stack) => Promise<T>): Promise<T> {
  const [gatewayPort = 0, sandboxPort = 0] = await chooseFreePorts(2);
  const { CLOCK_START } = process.env;
  const stack = await startStack({
    dataDir,
    gatewayPort,
    sandboxPort,
    env: { RATE_LIMITS: 'off', ...(CLOCK_START && { CLOCK_START }) },
  });
  try {
    return await work(stack);
  } finally {
    await stack.stop();
  }
}

async function seed(stack: Stack): Promise<void> {
  await fillDatabase({
    databaseAdminUrl: stack.databaseAdminUrl,
    secrets: loadSecrets(stack.layout.secrets, {}),
    size,
    now: await createProductClient(stack.urls).now(),
    print: () => undefined,
  });
}

/** Returns the 95th percentile of each call in milliseconds. Each round runs all calls once. */
async function measure(stack: Stack): Promise<Map<string, number>> {
  const product = createProductClient(stack.urls);
  const admin = await product.adminLogin(stack.adminCredentials);
  const reads = await prepareAdminReads(product, admin);
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, path } of reads) {
      const startedAt = performance.now();
      const response = await fetch(`${stack.urls.gateway}/api${path}`, {
        headers: { authorization: `Bearer ${admin}` },
      });
      await response.arrayBuffer();
      // A timeout counts with its time; any other error would be measured by mistake.
      if (!response.ok && response.status !== 503)
        throw new Error(`${path} responded with ${response.status}`);
      // The first round is a warm-up.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - startedAt]);
    }
  }
  return new Map([...times].map(([name, all]) => [name, percentile(all, 0.95)]));
}

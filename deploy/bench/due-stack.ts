import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '@daylift/clock/durations';
import type pg from 'pg';
import { chooseFreePorts } from '../local/ports.ts';
import { loadSecrets, type Secrets } from '../local/secrets.ts';
import { fillDatabase } from '../local/seed/fill-database.ts';
import { dueHour } from '../local/seed/people.ts';
import { type Stack, startStack } from '../local/stack.ts';
import { createProductClient } from '../system-tests/product-client.ts';
import { connectAsAdmin } from './database-counts.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

/** The product with subscribers due at one instant, and a provider that accepts every text. */
export interface DueStack {
  stack: Stack;
  secrets: Secrets;
  product: ReturnType<typeof createProductClient>;
  standIn: StandIn;
  database: pg.Client;
  /** How many texts are due at the instant. */
  due: number;
  /** Moves the clock to the instant. Returns the wall-clock milliseconds at which it did. */
  release(): Promise<number>;
  /** Waits for all due texts at the stand-in. */
  untilSent(count?: number): Promise<void>;
}

const QUIET_MS = 60_000;
const POLL_MS = 20;
const START = '2027-04-05T15:20:00Z';
/** Share of seeded subscribers who may get texts; the others are paused, opted out or without consent. */
const ELIGIBLE = 0.82;

export async function withDueStack<T>(
  options: { texts: number; subscribers?: number; env?: Record<string, string> },
  work: (stack: DueStack) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'daylift-bench-'));
  const [gatewayPort = 0, sandboxPort = 0] = await chooseFreePorts(2);
  const standIn = await startStandIn(sandboxPort);
  const undo: (() => Promise<unknown>)[] = [
    () => rm(dataDir, { recursive: true, force: true }),
    () => standIn.close(),
  ];
  try {
    const stack = await startStack({
      dataDir,
      gatewayPort,
      sandboxPort,
      env: {
        RATE_LIMITS: 'off',
        CLOCK_START: START,
        SANDBOX_URL: standIn.url,
        SMS_RATE_PER_SECOND: '10000',
        // The bench measures the pipeline, not the wait for a batch's first texts.
        SMS_CANARY_ABOVE: '0',
        SEND_SPREAD_SECONDS: '0',
        SEND_CONCURRENCY: '150',
        ...options.env,
      },
    });
    undo.push(() => stack.stop());
    const secrets = loadSecrets(stack.layout.secrets, {});
    standIn.setKey(secrets.telnyx_private_key);
    const product = createProductClient(stack.urls);
    const due = Math.ceil(options.texts / ELIGIBLE);
    const now = await product.now();
    const instant = dueHour(now);
    await fillDatabase({
      databaseAdminUrl: stack.databaseAdminUrl,
      secrets,
      size: { subscribers: Math.max(due, options.subscribers ?? 0), texts: 0, due },
      now,
      print: () => undefined,
    });
    const database = await connectAsAdmin(stack.databaseAdminUrl);
    undo.push(() => database.end());
    // Plans what is due, so the run measures only the hour itself. With very many subscribers this takes over a minute,
    // while the clock runs.
    await product.advanceTo(new Date(instant.getTime() - 10 * minuteMs));
    const count = await countDue(database, instant);
    const offsetMs = instant.getTime() - Date.now();
    standIn.now = () => new Date(Date.now() + offsetMs);
    standIn.clear();
    return await work({
      stack,
      secrets,
      product,
      standIn,
      database,
      due: count,
      release: async () => {
        const releasedAt = performance.now();
        // Without waiting for the product to settle, which would add its polls to the measurement.
        await product.sandbox('POST', '/sandbox/clock', {
          advance_to: instant.toISOString(),
          cap_ms: 100,
        });
        return releasedAt;
      },
      untilSent: (expected = count) => untilArrived(standIn, expected),
    });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function countDue(database: pg.Client, instant: Date): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `select count(*) from scheduler.dispatches where state = 'planned' and due_at <= $1`,
    [instant],
  );
  const count = Number(rows[0]?.count);
  if (count === 0) {
    throw new Error(
      `No text is due at ${instant.toISOString()}, so there is nothing to measure. Check the seed in deploy/local/seed.`,
    );
  }
  return count;
}

/** Fails if no text arrives for a minute. */
async function untilArrived(standIn: StandIn, count: number): Promise<void> {
  let lastArrivalAt = performance.now();
  for (let seen = 0; standIn.arrivals.length < count; ) {
    if (standIn.arrivals.length > seen) {
      seen = standIn.arrivals.length;
      lastArrivalAt = performance.now();
    } else if (performance.now() - lastArrivalAt > QUIET_MS) {
      throw new Error(`Only ${seen} of ${count} due texts reached the provider, then none.`);
    }
    await delay(POLL_MS);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../local/stack.ts';
import type { ProductClient } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { judge, type Verdict } from './judge.ts';
import { runSimulation, type Simulation } from './run-simulation.ts';

const start = new Date('2027-03-06T00:00:00Z');
/** Ten days include America's clock change; 16 include everything the simulated people do. */
const days = Number(process.env.CHAOS_DAYS ?? 10);
/** All processes except the sandbox; servers are killed rarely. */
const victims = [
  'gateway',
  'accounts',
  'billing',
  'content',
  'scheduler',
  'sms-gateway',
  'sms-worker',
];
const servers = ['redis', 'nats', 'postgres'];
const killsPerDay = 4;
const seed = Number(process.env.CHAOS_SEED ?? 20270306);

describe(`${days} of these days with processes killed at random`, () => {
  let running: TestStack;
  let stack: Stack;
  let product: ProductClient;
  let simulation: Simulation;
  let verdict: Verdict;
  let kills = 0;

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: start.toISOString(),
      SEND_SPREAD_SECONDS: '300',
      // A tenth of the defaults, so a dead worker's claim is taken over within the simulated hour.
      SEND_LEASE_MS: '3000',
      PROVIDER_TIMEOUT_MS: '2000',
    });
    product = running.product;
    stack = running.stack;
    const random = createRandom(seed);
    let killing: Promise<void> = Promise.resolve();
    simulation = await runSimulation({
      product,
      size: 240,
      days,
      start,
      patient: true,
      onDay: async (day) => {
        // Processes are killed at random instants of a day; the next day waits for that.
        await killing;
        if (day > 0) killing = killSome(random);
        if (day === 4) await stack.flushRedis();
        if (day === 6) await stack.wipeNats();
        if (day === 8) stack.kill('postgres', 'SIGKILL');
      },
    });
    await killing;
    await product.settle();
    verdict = judge(simulation.people, simulation.expectedOf, await product.texts(), 3);
  }, 1_800_000);

  afterAll(async () => {
    await running?.stop();
  });

  async function killSome(random: () => number): Promise<void> {
    for (let kill = 0; kill < killsPerDay; kill += 1) {
      await delay(random() * 2_500);
      const from = random() < 0.1 ? servers : victims;
      const name = from[Math.floor(random() * from.length)] ?? 'sms-worker';
      // Skip a process that is being restarted.
      if (!stack.processes().some((one) => one.name === name)) continue;
      stack.kill(name, 'SIGKILL');
      kills += 1;
    }
  }

  test('at least thirty processes were killed and restarted', () => {
    expect(kills).toBeGreaterThanOrEqual(30);
    expect(stack.restartCount()).toBeGreaterThanOrEqual(30);
  });

  test(`no one got a text twice or one that wasn't due (seed ${seed})`, () => {
    expect(verdict).toMatchObject({ twice: [], undue: [], wrong_hour: [] });
  });

  test('no one lost a text without a recorded reason', async () => {
    const recorded = await endReasons(stack);
    const people = new Map(simulation.people.map((person) => [person.index, person]));
    const unexplained = verdict.missing.filter(({ person, local_date }) => {
      const reason = recorded.get(`${people.get(person)?.email} ${local_date}`);
      return reason === undefined || reason === '';
    });
    expect(unexplained).toEqual([]);
    // A loss with a reason is still a loss: since processes return within seconds, it must be rare.
    expect(verdict.missing.length).toBeLessThan(verdict.due / 100);
  });
});

/** Returns the recorded reasons for days without an accepted text, by email and local date. */
async function endReasons(stack: Stack): Promise<Map<string, string>> {
  const rows = await queryDatabase<{ email: string; local_date: string; reason: string }>(
    stack,
    `select users.email, dispatches.local_date::text, dispatches.reason
     from scheduler.dispatches join accounts.users on users.id = dispatches.user_id
     where dispatches.state in ('missed', 'unknown', 'refused') and dispatches.reason is not null`,
  );
  return new Map(rows.map((row) => [`${row.email} ${row.local_date}`, row.reason]));
}

/** Mulberry32: the same seed kills the same processes in the same order. */
function createRandom(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

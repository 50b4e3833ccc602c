import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@daylift/clock/durations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../local/stack.ts';
import type { AcceptedText, ProductClient } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { expectForecastMet, expectOneWelcomeEach } from './checks.ts';
import { acceptedBefore, judge, type Verdict } from './judge.ts';
import { createPopulation, type Person } from './population.ts';
import { runSimulation, type Simulation } from './run-simulation.ts';

const start = new Date('2027-10-30T00:00:00Z');
/** Europe's clock change is on the day of the first texts, America's on the last day. 16 days include everything the simulated people do. */
const days = Number(process.env.CHAOS_DAYS ?? 9);
const size = Number(process.env.CHAOS_PEOPLE ?? 240);
/** Until here nothing is killed, so every text arrives in its hour. */
const calmDays = 3;
const calmEnd = new Date(start.getTime() + calmDays * dayMs);
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
const killsPerDay = 6;
const isCalm = (text: AcceptedText): boolean => new Date(text.accepted_at) < calmEnd;
const seed = Number(process.env.CHAOS_SEED ?? 20270306);
/** With `on`, the provider sends a text with a repeated key once, so no text may be lost either. */
const idempotency = process.env.CHAOS_IDEMPOTENCY === 'on' ? 'on' : 'off';

describe(`${days} days of ${size} people from 30 October 2027, with processes killed at random from the fourth on`, () => {
  let running: TestStack;
  let stack: Stack;
  let product: ProductClient;
  let simulation: Simulation;
  let verdict: Verdict;
  /** How often each fault happened. */
  const faults = new Map<string, number>();

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: start.toISOString(),
      SEND_SPREAD_SECONDS: '300',
      // A tenth of the defaults, so a dead worker's claim is taken over within the simulated hour.
      SEND_LEASE_MS: '3000',
      PROVIDER_TIMEOUT_MS: '2000',
      TELNYX_IDEMPOTENCY: idempotency,
    });
    product = running.product;
    stack = running.stack;
    const honour_idempotency_key = idempotency === 'on';
    await product.faults({ telnyx: { honour_idempotency_key } });
    const random = createRandom(seed);
    let killing: Promise<void> = Promise.resolve();
    simulation = await runSimulation({
      running,
      days,
      start,
      people: createPopulation(size),
      forecastDay: 1,
      patient: true,
      onDay: async (day) => {
        // Processes are killed at random instants of a day; the next day waits for that.
        await killing;
        if (day === calmDays) await dropResponses();
        if (day >= calmDays) killing = killSome(random);
        await failServer(day);
      },
    });
    await killing;
    await product.settle();
    verdict = judge(
      simulation.people,
      simulation.expectedOf,
      acceptedBefore(await product.texts(), simulation.end),
      3,
    );
  }, 1_800_000);

  afterAll(async () => {
    await running?.stop();
  });

  /** Leaves results unknown even where no process dies. */
  const dropResponses = () => product.faults({ accept_then_drop: { telnyx: 0.01, stripe: 0 } });

  const count = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1);

  function kill(name: string): void {
    stack.kill(name, 'SIGKILL');
    count(name);
  }

  async function failServer(day: number): Promise<void> {
    if (day === 4) kill('redis');
    if (day === 6) kill('nats');
    if (day === 7) kill('postgres');
    if (day === 3) {
      await stack.flushRedis();
      count('flushed redis');
    }
    if (day === 5) {
      await stack.wipeNats();
      count('wiped nats');
    }
  }

  async function killSome(random: () => number): Promise<void> {
    for (let kills = 0; kills < killsPerDay; kills += 1) {
      await delay(random() * 2_500);
      const from = random() < 0.1 ? servers : victims;
      // Skip processes that are being restarted.
      const running = stack.processes().map(({ name }) => name);
      const spared = from.filter((name) => running.includes(name)).toSorted(byFaults);
      const fewest = spared.filter((name) => byFaults(name, spared[0] ?? name) === 0);
      const name = fewest[Math.floor(random() * fewest.length)];
      if (name !== undefined) kill(name);
    }
  }

  const byFaults = (one: string, other: string): number =>
    (faults.get(one) ?? 0) - (faults.get(other) ?? 0);

  test('each process and server was killed and restarted, and Redis and NATS lost their data', () => {
    expect([...faults.keys()].sort()).toEqual(
      [...victims, ...servers, 'flushed redis', 'wiped nats'].sort(),
    );
    const kills = [...victims, ...servers].map((name) => faults.get(name) ?? 0);
    expect(kills.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(30);
    expect(stack.restartCount()).toBeGreaterThanOrEqual(30);
  });

  test('until the first kill every hour settled before the next', () => {
    expect(simulation.unsettled.filter(({ at }) => new Date(at) < calmEnd)).toEqual([]);
  });

  test('until the first kill every due text arrived once, on the right local date and hour', async () => {
    const before = (await product.texts()).filter(isCalm);
    const expectedOf = (person: Person) => simulation.expectedOf(person, calmEnd);
    const calm = judge(simulation.people, expectedOf, before);
    expect(calm).toMatchObject({ twice: [], missing: [], unexpected: [], wrong_hour: [] });
    expect(calm.arrived).toBe(calm.due);
    expect(calm.due).toBeGreaterThan((size * 5) / 3);
  });

  test('a forecast matched each of the next 48 hours, with skipped subscribers by reason', () =>
    expectForecastMet(simulation, product, running));

  test('until the first kill every paying subscriber with consent got one welcome, and no one else did', async () => {
    expectOneWelcomeEach(simulation.people, (await product.texts()).filter(isCalm), calmDays);
  });

  test(`no one got a text twice or one that wasn't due (seed ${seed})`, () => {
    expect(verdict).toMatchObject({ twice: [], unexpected: [], wrong_hour: [] });
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
    if (idempotency === 'on') expect(verdict.missing).toEqual([]);
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

import { setTimeout as delay } from 'node:timers/promises';
import { hourMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { billingEvents } from '@daylift/contracts/billing.events';
import type { EventTable } from '@daylift/contracts/event';
import { type ReleasedDispatch, schedulerEvents } from '@daylift/contracts/scheduler.events';
import type { TextSettled } from '@daylift/contracts/sms.events';
import { consumedOwners } from '@daylift/events/access';
import { type Bus, connectBus } from '@daylift/events/bus';
import { identityHeader } from '@daylift/server/identity';
import { eventually } from '@daylift/testing/eventually';
import { signTestIdentity } from '@daylift/testing/identity';
import { publishedEvents } from '@daylift/testing/published';
import { Redis } from 'ioredis';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, dispatchId, entitlement, recipientFacts } from '../test/factories.ts';
import { type Processes, startProcesses } from '../test/processes.ts';
import type { LoggedText } from '../test/sandbox.ts';
import { unclearToPause } from './provider/breaker.ts';

const clockStart = '2027-03-09T15:00:00Z';
const rate = 60;
/** Maximum per worker. */
const inHand = 20;
let service: Processes;
let bus: Bus;

beforeAll(async () => {
  service = await startProcesses(clockStart, {
    SMS_RATE_PER_SECOND: String(rate),
    // Long enough for a busy machine: five calls without a response would pause sending.
    PROVIDER_TIMEOUT_MS: '4000',
    SEND_LEASE_MS: '5500',
    SEND_CONCURRENCY: String(inHand),
  });
  bus = await connectBus({ url: service.natsUrl, name: 'test' });
  for (const owner of consumedOwners.sms) await bus.ensureStream(owner);
});
afterAll(async () => {
  await bus.close();
  await service.close();
});

async function publish(table: EventTable, type: string, data: unknown) {
  if (!Value.Check(table[type]!, data)) throw new Error(`${type} is not in order`);
  const id = crypto.randomUUID();
  const event = { id, type, occurred_at: new Date().toISOString(), data };
  await bus.js.publish(bus.subjectOf(type), JSON.stringify(event), { msgID: id });
}

/** Releases a daily text to each of these subscribers, in batches of 50 through NATS. */
async function handOver(count: number): Promise<ReleasedDispatch[]> {
  const now = Date.parse(clockStart);
  const dispatches: ReleasedDispatch[] = [];
  for (let index = 0; index < count; index += 1) {
    const facts = recipientFacts();
    await service.db
      .insertInto('own_text_keys')
      .values({ key: `welcome:${facts.user_id}`, text_id: 'before', created_at: new Date() })
      .execute();
    await publish(accountsEvents, 'accounts.recipient.changed', facts);
    const entitled = entitlement(facts.user_id);
    await publish(billingEvents, 'billing.subscription.changed', entitled);
    const { timezone, delivery_hour, frequency, weekday } = facts;
    dispatches.push({
      dispatch_id: dispatchId(facts.user_id, '2027-03-09'),
      user_id: facts.user_id,
      local_date: '2027-03-09',
      kind: 'daily',
      content: 'Breathe.',
      scheduled_message_id: null,
      due_at: clockStart,
      windows: [{ opens_at: clockStart, closes_at: new Date(now + hourMs).toISOString() }],
      slot: { timezone, delivery_hour, frequency, weekday },
    });
  }
  await allKnown();
  for (let first = 0; first < count; first += 50) {
    const batch = {
      id: crypto.randomUUID(),
      kind: 'scheduled',
      name: 'Daily texts',
      created_at: clockStart,
    };
    const part = dispatches.slice(first, first + 50);
    await publish(schedulerEvents, 'scheduler.dispatches.released', {
      batch,
      dispatches: part,
    });
  }
  return dispatches;
}

/** Normally a subscriber is known long before their first text is due. */
const allKnown = () =>
  eventually(
    async () => {
      const unknown = await service.db
        .selectFrom('recipients')
        .select('user_id')
        .where((where) =>
          where.or([where('version', '=', 0), where('subscription_version', '=', 0)]),
        )
        .execute();
      const keys = await service.db.selectFrom('own_text_keys').select('key').execute();
      const known = await service.db.selectFrom('recipients').select('user_id').execute();
      return unknown.length === 0 && known.length === keys.length;
    },
    { within: 60_000, what: 'all subscribers known' },
  );

const statesOf = async (dispatches: ReleasedDispatch[]) => {
  const rows = await service.db
    .selectFrom('texts')
    .select('state')
    .where(
      'id',
      'in',
      dispatches.map(({ dispatch_id }) => dispatch_id),
    )
    .execute();
  const counts: Record<string, number> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};
const idsIn = async (dispatches: ReleasedDispatch[], state: 'delivered' | 'unknown') => {
  const rows = await service.db
    .selectFrom('texts')
    .select('id')
    .where('state', '=', state)
    .where(
      'id',
      'in',
      dispatches.map(({ dispatch_id }) => dispatch_id),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};
const settled = async (dispatches: ReleasedDispatch[]) => {
  const ids = new Set(dispatches.map(({ dispatch_id }) => dispatch_id));
  return (await publishedEvents(service.db, 'sms.texts.settled'))
    .flatMap((event) => (event.data as { results: TextSettled[] }).results)
    .filter(({ dispatch_id }) => ids.has(dispatch_id));
};
const allDelivered = (dispatches: ReleasedDispatch[], within = 25_000) =>
  eventually(
    async () => {
      const states = await statesOf(dispatches);
      if (states.delivered === dispatches.length) return true;
      throw new Error(JSON.stringify(states));
    },
    { within, what: 'the delivery of all' },
  );
const acceptedFor = async (dispatches: ReleasedDispatch[]): Promise<LoggedText[]> => {
  const ids = new Set(dispatches.map(({ dispatch_id }) => dispatch_id));
  return (await service.sandbox.texts()).filter(({ dispatch }) => ids.has(dispatch));
};
function busiestSecond(texts: LoggedText[]): number {
  const instants = texts.map((text) => Date.parse(text.accepted_wall_at)).toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (let last = 0; last < instants.length; last += 1) {
    while (instants[last]! - instants[first]! >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe('the running service', () => {
  // First, because the sandbox waits for killed processes before it moves its clock.
  it('pauses and keeps all texts while the account is rejected, then continues', async () => {
    await service.startWorker();
    await service.sandbox.faults({ error: { telnyx: { rate: 1, code: '20100' } } });
    const dispatches = await handOver(30);
    await eventually(
      async () =>
        (await service.db.selectFrom('send_pause').select('paused_at').executeTakeFirstOrThrow())
          .paused_at !== null,
    );
    await delay(1_500);
    await eventually(async () => (await statesOf(dispatches)).queued === 30);
    expect(await acceptedFor(dispatches)).toEqual([]);
    await service.sandbox.faults({ reset: true });
    const settled = await fetch(`${service.sandbox.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_to: '2027-03-09T15:31:00Z' }),
    });
    expect(((await settled.json()) as { unsettled: unknown[] }).unsettled).toEqual([]);
    await allDelivered(dispatches);
  }, 60_000);

  it('loses only the in-flight texts of two workers while the provider is down, then sends the rest', async () => {
    await service.startWorker();
    await service.startWorker();
    await service.sandbox.faults({ telnyx_down: true });
    const dispatches = await handOver(100);
    await eventually(
      async () =>
        (await service.db.selectFrom('send_pause').select('is_outage').executeTakeFirstOrThrow())
          .is_outage,
    );
    await eventually(async () => (await statesOf(dispatches)).inflight === undefined);
    const { unknown = 0, queued } = await statesOf(dispatches);
    expect(unknown).toBeLessThanOrEqual(unclearToPause + 2 * inHand);
    expect(queued).toBe(100 - unknown);
    await service.sandbox.faults({ reset: true });
    await fetch(`${service.sandbox.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_to: '2027-03-09T15:35:00Z' }),
    });
    await eventually(async () => (await statesOf(dispatches)).delivered === 100 - unknown, {
      within: 25_000,
      what: 'the delivery of the rest',
    });
    expect(await acceptedFor(dispatches)).toHaveLength(100 - unknown);
  }, 60_000);

  it("sends each text once, within the provider's rate, with three killed workers and an emptied Redis", async () => {
    let workers = [
      await service.startWorker(),
      await service.startWorker(),
      await service.startWorker(),
    ];
    const dispatches = await handOver(240);
    const redis = new Redis(service.redisUrl);
    for (let round = 0; round < 3; round += 1) {
      await eventually(async () => (await acceptedFor(dispatches)).length > 50 * (round + 1), {
        within: 30_000,
      });
      if (round === 1) await redis.flushall();
      await workers[0]!.stop('SIGKILL');
      workers = [...workers.slice(1), await service.startWorker()];
    }
    redis.disconnect();
    await eventually(
      async () => {
        const { delivered = 0, unknown = 0, ...open } = await statesOf(dispatches);
        const { length } = await acceptedFor(dispatches);
        // The receipts of a killed worker's calls may come after their texts became unknown.
        if (delivered + unknown === 240 && delivered >= length) return true;
        throw new Error(JSON.stringify({ accepted: length, delivered, unknown, ...open }));
      },
      { within: 60_000, what: 'the end of all' },
    );
    const accepted = await acceptedFor(dispatches);
    const delivered = await idsIn(dispatches, 'delivered');
    expect(accepted.map(({ dispatch }) => dispatch).toSorted()).toEqual(delivered);
    expect(busiestSecond(accepted)).toBeLessThanOrEqual(rate);
    // Marked, but killed before the request was sent: these can't be told from sent ones.
    expect((await idsIn(dispatches, 'unknown')).length).toBeLessThanOrEqual(3 * inHand);
    const reported = (await settled(dispatches)).filter(({ outcome }) => outcome === 'accepted');
    expect(reported.map(({ dispatch_id }) => dispatch_id).toSorted()).toEqual(delivered);
  }, 120_000);

  it('marks the calls of a killed worker as unknown, and receipts resolve them', async () => {
    const worker = await service.startWorker();
    await service.sandbox.faults({
      accept_then_delay_ms: 1_900,
      // Later than a new worker needs to find the calls.
      telnyx: { sent_after_ms: 12_000, finalized_after_ms: 12_500 },
    });
    const dispatches = await handOver(20);
    // All are in flight, and no response has arrived yet.
    await eventually(async () => (await acceptedFor(dispatches)).length === 20);
    await worker.stop('SIGKILL');
    await service.sandbox.faults({ reset: true });
    await service.startWorker();
    await allDelivered(dispatches);
    expect(await acceptedFor(dispatches)).toHaveLength(20);
    const unknown = (await settled(dispatches)).filter(({ reason }) => reason === 'worker_lost');
    expect(unknown.length).toBeGreaterThan(0);
  }, 60_000);

  it('delays texts while Redis is killed, without losing or repeating any', async () => {
    await service.startWorker();
    const dispatches = await handOver(60);
    await eventually(async () => (await acceptedFor(dispatches)).length > 5);
    await service.killRedis();
    await delay(500);
    service.startRedis();
    await allDelivered(dispatches);
    expect(await acceptedFor(dispatches)).toHaveLength(60);
  }, 60_000);

  it('processes the queue once on a double click, without any worker', async () => {
    const dispatches = await handOver(30);
    await eventually(async () => (await statesOf(dispatches)).queued === 30);
    const click = async () => {
      const response = await fetch(`${service.apiUrl}/admin/scheduler/process-queue`, {
        method: 'POST',
        headers: {
          [identityHeader]: signTestIdentity('sms-gateway')(asAdmin('operator')),
        },
      });
      return response.json();
    };
    const clicks = await Promise.all([click(), click(), click()]);
    expect(clicks[0]).toEqual({ processed: 30, failed: 0, total: 30 });
    expect(await acceptedFor(dispatches)).toHaveLength(30);
    expect(await click()).toEqual({ processed: 0, failed: 0, total: 0 });
    const reported = await publishedEvents(service.db, 'sms.admin.acted');
    expect(reported.map((one) => one.data)).toEqual(
      clicks.map(() => expect.objectContaining({ action: 'queue.processed' })),
    );
  });
});

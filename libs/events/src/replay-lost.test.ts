import { createTravellingClock, type TravellingClock } from '@daylift/clock/clock';
import { dayMs } from '@daylift/clock/durations';
import { createDatabase } from '@daylift/database/create-database';
import { createLogger } from '@daylift/server/logger';
import { createLoops, type Loops } from '@daylift/server/loops';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Bus, connectBus } from './bus.ts';
import { createConsumer, type EventConsumer } from './consume.ts';
import type { EventTables } from './event-tables.ts';
import { consumerOf, type EventHandlers } from './handle-event.ts';
import { publish } from './publish.ts';
import { createRelay } from './relay.ts';

interface TestTables extends EventTables {
  effects: { event_id: string; note: string };
}

const Note = Type.Object({ note: Type.String() });
const events = { 'content.note.written': Note, 'content.note.read': Note };
type Handlers = EventHandlers<TestTables, typeof events>;
const log = createLogger('replay-lost-test', 'silent');

let database: TestDatabase;
let db: Kysely<TestTables>;
let bus: Bus;
let loops: Loops;
let clock: TravellingClock;
let consumers: EventConsumer[];
let runs: Map<string, number>;

beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'events_test',
    folder: new URL('../test/migrations', import.meta.url).pathname,
  });
  db = createDatabase<TestTables>({
    url: database.url,
    name: 'replay-lost-test',
    onError: () => undefined,
  });
});

beforeEach(async () => {
  bus = await connectBus({
    url: requiredUrl('TEST_NATS_URL'),
    name: 'replay-lost-test',
    prefix: uniquePrefix(),
  });
  clock = createTravellingClock(0);
  loops = createLoops(createRelay({ db, bus, owner: 'content', clock, log }), { clock, log });
  await bus.ensureStream('content');
  loops.start();
  consumers = [];
  runs = new Map();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await stopConsumers();
  await loops.stop();
  await bus.jsm.streams.delete(bus.streamOf('content')).catch(() => undefined);
  await bus.close();
  await sql`truncate outbox, inbox, effects, parked_events, handled_types, relay_state restart identity`.execute(
    db,
  );
  await sql`drop table if exists saved_inbox, saved_effects, saved_parked_events`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const record: Handlers['content.note.written'] = async (trx, { note }, event) => {
  runs.set(note, (runs.get(note) ?? 0) + 1);
  await trx.insertInto('effects').values({ event_id: event.id, note }).execute();
};

/** Starts a replica and returns when it has checked for lost events. */
async function consume(handlers: Handlers = { 'content.note.written': record }): Promise<void> {
  const consumer = createConsumer(
    { service: 'scheduler', db, bus, clock, log },
    consumerOf<TestTables, typeof events>('content', events, handlers),
  );
  consumers.push(consumer);
  const takes = vi.spyOn(bus.js.consumers, 'get');
  const before = takes.mock.calls.length;
  consumer.start();
  await eventually(() => takes.mock.calls.length > before);
}

async function stopConsumers(): Promise<void> {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
}

const write = (notes: string[], type: keyof typeof events = 'content.note.written') =>
  db.transaction().execute(async (trx) => {
    for (const note of notes) await publish(trx, events, type, { note }, clock.now());
  });

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(3, '0'));

const effects = async () =>
  (await db.selectFrom('effects').select('note').orderBy('note').execute()).map(({ note }) => note);

const hasEffects = (count: number) =>
  eventually(async () => (await effects()).length >= count, { within: 30_000 });

const isAcknowledged = () =>
  eventually(async () => {
    const info = await bus.jsm.consumers.info(bus.streamOf('content'), 'scheduler');
    return info.num_pending + info.num_ack_pending === 0;
  });

async function apply(notes: string[]): Promise<void> {
  const before = (await effects()).length;
  await write(notes);
  await hasEffects(before + notes.length);
  await isAcknowledged();
}

async function saveReplica(): Promise<void> {
  for (const table of ['inbox', 'effects', 'parked_events'])
    await sql`create table ${sql.table(`saved_${table}`)} as table ${sql.table(table)}`.execute(db);
}

/** Removes everything since `saveReplica` from Postgres, as a failover to a stale replica would. */
async function failOver(): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of ['inbox', 'effects', 'parked_events']) {
      await sql`delete from ${sql.table(table)}`.execute(trx);
      await sql`insert into ${sql.table(table)} table ${sql.table(`saved_${table}`)}`.execute(trx);
    }
  });
}

test('replays events lost by a failover, once and only those, when the consumer restarts', async () => {
  await consume();
  await apply(numbered(1, 50));
  await saveReplica();
  await apply(numbered(51, 100));
  await stopConsumers();
  await failOver();
  expect(await effects()).toHaveLength(50);
  await consume();
  expect(await effects()).toEqual(numbered(1, 100));
  expect(numbered(1, 50).map((note) => runs.get(note))).toEqual(Array(50).fill(1));
});

test('replays lost events within a minute while the consumer is idle', async () => {
  await consume();
  await apply(numbered(1, 50));
  await saveReplica();
  await apply(numbered(51, 100));
  await failOver();
  clock.adopt(61_000);
  await hasEffects(100);
  expect(await effects()).toEqual(numbered(1, 100));
  expect(numbered(1, 50).map((note) => runs.get(note))).toEqual(Array(50).fill(1));
});

test('replays the first events of a type after their process died', async () => {
  await consume();
  await saveReplica();
  await apply(numbered(1, 3));
  await stopConsumers();
  await failOver();
  await consume();
  expect(await effects()).toEqual(numbered(1, 3));
});

test('replays the first events of a handler added later, but none before it', async () => {
  const both = { 'content.note.written': record, 'content.note.read': record };
  await consume();
  await write(['ignored'], 'content.note.read');
  await apply(['001']);
  await stopConsumers();
  await consume(both);
  await saveReplica();
  await write(['handled'], 'content.note.read');
  await hasEffects(2);
  await isAcknowledged();
  await stopConsumers();
  await failOver();
  await consume(both);
  expect(await effects()).toEqual(['001', 'handled']);
});

test('replays lost events again when a second failover loses them while the consumer is idle', async () => {
  await consume();
  await apply(numbered(1, 5));
  await saveReplica();
  await apply(numbered(6, 10));
  for (const offsetMs of [61_000, 122_000]) {
    await failOver();
    clock.adopt(offsetMs);
    await hasEffects(10);
  }
  expect(await effects()).toEqual(numbered(1, 10));
});

test('replays lost events in order, even the first ones of their type, when newer ones follow', async () => {
  await consume();
  await saveReplica();
  await apply(numbered(1, 10));
  await failOver();
  await apply(['999']);
  runs.clear();
  clock.adopt(61_000);
  await hasEffects(11);
  expect([...runs.keys()]).toEqual(numbered(1, 10));
});

test('finds losses many messages back', async () => {
  await consume();
  await apply(numbered(1, 20));
  await saveReplica();
  await apply(numbered(21, 420));
  await stopConsumers();
  await failOver();
  await consume();
  expect(await effects()).toEqual(numbered(1, 420));
});

test('replays lost events after an outage of Postgres', async () => {
  let isDown = false;
  await consume({
    'content.note.written': async (trx, data, event) => {
      if (isDown) {
        isDown = false;
        await sql`do $$ begin raise exception 'down' using errcode = '57P03'; end $$`.execute(trx);
      }
      await record(trx, data, event);
    },
  });
  await apply(numbered(1, 5));
  await saveReplica();
  await apply(numbered(6, 10));
  await failOver();
  isDown = true;
  await write(['011']);
  await hasEffects(11);
  expect(await effects()).toEqual(numbered(1, 11));
});

test('applies a lost event once when two replicas replay it', async () => {
  await consume();
  await apply(numbered(1, 5));
  await saveReplica();
  await apply(numbered(6, 60));
  await stopConsumers();
  await failOver();
  await Promise.all([consume(), consume()]);
  await hasEffects(60);
  expect(await effects()).toEqual(numbered(1, 60));
});

test("marks a lost event that can't be handled as failed and replays the others", async () => {
  await consume();
  await apply(['001']);
  await saveReplica();
  const id = crypto.randomUUID();
  const poison = { id, type: 'content.note.written', occurred_at: clock.now(), data: { note: 7 } };
  await bus.js.publish(bus.subjectOf(poison.type), JSON.stringify(poison));
  await apply(['002']);
  await stopConsumers();
  await failOver();
  await consume();
  expect(await effects()).toEqual(['001', '002']);
  const failed = await db.selectFrom('parked_events').select(['event_id', 'tries']).execute();
  expect(failed).toEqual([{ event_id: id, tries: 1 }]);
});

test("doesn't replay failed events, ignored events and events older than their handler", async () => {
  await consume();
  const id = crypto.randomUUID();
  const poison = { id, type: 'content.note.written', occurred_at: clock.now(), data: { note: 7 } };
  await bus.js.publish(bus.subjectOf(poison.type), JSON.stringify(poison));
  await write(['ignored'], 'content.note.read');
  await apply(['001']);
  await stopConsumers();
  const handlers = { 'content.note.written': record, 'content.note.read': record };
  await consume(handlers);
  expect(await effects()).toEqual(['001']);
  await write(['handled'], 'content.note.read');
  await hasEffects(2);
  await isAcknowledged();
  await stopConsumers();
  await consume(handlers);
  expect(await effects()).toEqual(['001', 'handled']);
  expect(await db.selectFrom('parked_events').select('tries').execute()).toEqual([{ tries: 1 }]);
});

test("doesn't replay events that the inbox has deleted", async () => {
  await consume();
  await apply(numbered(1, 5));
  const reads = vi.spyOn(bus.jsm.streams, 'getMessage');
  await db.deleteFrom('inbox').execute();
  clock.adopt(29 * dayMs);
  await eventually(() => reads.mock.calls.length > 0);
  await apply(['006']);
  expect([...runs.values()]).toEqual([1, 1, 1, 1, 1, 1]);
});

test('checks an empty stream without an error', async () => {
  const warnings = vi.spyOn(log, 'warn');
  await consume();
  expect(warnings).not.toHaveBeenCalled();
});

test('replays nothing and reads a bounded number of messages when nothing is lost', async () => {
  await consume();
  await apply(numbered(1, 600));
  await stopConsumers();
  const reads = vi.spyOn(bus.jsm.streams, 'getMessage');
  await consume();
  expect(reads.mock.calls.length).toBeLessThanOrEqual(257);
  expect(await effects()).toEqual(numbered(1, 600));
  expect(new Set(runs.values())).toEqual(new Set([1]));
});

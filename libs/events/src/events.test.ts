import { systemClock } from '@daylift/clock/clock';
import { createDatabase } from '@daylift/database/create-database';
import { createLogger } from '@daylift/server/logger';
import { createLoops, type Loops } from '@daylift/server/loops';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { AckPolicy } from '@nats-io/jetstream';
import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Bus, connectBus } from './bus.ts';
import { createConsumer, type EventConsumer } from './consume.ts';
import type { EventTables } from './event-tables.ts';
import { replayFailed } from './failed/end-failed.ts';
import { failedEvents } from './failed/failed-events.ts';
import { consumerOf, type EventHandler, PoisonEvent, type SetHandler } from './handle-event.ts';
import { publish } from './publish.ts';
import { createRelay } from './relay.ts';

interface TestTables extends EventTables {
  effects: { event_id: string; note: string };
}

const events = { 'content.note.written': Type.Object({ note: Type.String() }) };
const log = createLogger('events-test', 'silent');

let database: TestDatabase;
let db: Kysely<TestTables>;
let bus: Bus;
let loops: Loops;
let consumers: EventConsumer[];

beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'events_test',
    folder: new URL('../test/migrations', import.meta.url).pathname,
  });
  db = createDatabase<TestTables>({
    url: database.url,
    name: 'events-test',
    onError: () => undefined,
  });
});

beforeEach(async () => {
  bus = await connectBus({
    url: requiredUrl('TEST_NATS_URL'),
    name: 'events-test',
    prefix: uniquePrefix(),
  });
  loops = createLoops(createRelay({ db, bus, owner: 'content', clock: systemClock, log }), {
    clock: systemClock,
    log,
  });
  await bus.ensureStream('content');
  loops.start();
  consumers = [];
});

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await loops.stop();
  await bus.jsm.streams.delete(bus.streamOf('content')).catch(() => undefined);
  await bus.close();
  await sql`truncate outbox, inbox, effects, parked_events, handled_types, relay_state restart identity`.execute(
    db,
  );
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type Definition = ReturnType<typeof consumerOf<TestTables, typeof events>>;

function start(definition: Definition) {
  const options = { service: 'scheduler', db, bus, clock: systemClock, log } as const;
  const consumer = createConsumer(options, definition);
  consumers.push(consumer);
  consumer.start();
  return consumer;
}

const consume = (handler: EventHandler<TestTables, { note: string }>) =>
  start(consumerOf('content', events, { 'content.note.written': handler }));

const consumeSets = (handler: SetHandler<TestTables, { note: string }>) =>
  start(consumerOf('content', events, {}, { 'content.note.written': handler }));

const remember: EventHandler<TestTables, { note: string }> = async (trx, data, event) => {
  await trx.insertInto('effects').values({ event_id: event.id, note: data.note }).execute();
};

const write = (note: string) =>
  db
    .transaction()
    .execute((trx) => publish(trx, events, 'content.note.written', { note }, new Date()));

const notes = async () =>
  (await db.selectFrom('effects').select('note').execute()).map((row) => row.note).sort();

const failed = () => db.selectFrom('parked_events').selectAll().execute();

test('an event published in a transaction reaches the consumer once', async () => {
  consume(remember);
  await write('one');
  await write('two');
  await eventually(async () => (await notes()).length === 2);
  expect(await notes()).toEqual(['one', 'two']);
});

test('an event rolled back is never published', async () => {
  consume(remember);
  await expect(
    db.transaction().execute(async (trx) => {
      await publish(trx, events, 'content.note.written', { note: 'taken back' }, new Date());
      throw new Error('changed our mind');
    }),
  ).rejects.toThrow('changed our mind');
  await write('kept');
  await eventually(async () => (await notes()).length > 0);
  expect(await notes()).toEqual(['kept']);
});

test('invalid event data is rejected before it is stored', async () => {
  const wrong = { note: 7 } as unknown as { note: string };
  await expect(
    db
      .transaction()
      .execute((trx) => publish(trx, events, 'content.note.written', wrong, new Date())),
  ).rejects.toThrow('does not match its schema');
  expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});

test('an event delivered twice has its effect once', async () => {
  consume(remember);
  const id = await write('once');
  await eventually(async () => (await notes()).length === 1);
  // A new message id bypasses the stream's deduplication window, like after a loss of NATS.
  const row = await db
    .selectFrom('outbox')
    .select('payload')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await bus.js.publish(bus.subjectOf('content.note.written'), row.payload);
  await write('after');
  await eventually(async () => (await notes()).includes('after'));
  expect(await notes()).toEqual(['after', 'once']);
});

test('a poison event fails after five tries and blocks nothing', async () => {
  let tries = 0;
  consume(async (trx, data, event) => {
    if (data.note === 'poison') {
      tries += 1;
      throw new Error('cannot be digested');
    }
    await remember(trx, data, event);
  });
  await write('poison');
  await write('healthy');
  await eventually(async () => (await notes()).includes('healthy'));
  const rows = await eventually(async () => ((await failed()).length === 1 ? failed() : null), {
    within: 20_000,
  });
  expect(tries).toBe(5);
  expect(rows[0]).toMatchObject({
    type: 'content.note.written',
    tries: 5,
    error: 'cannot be digested',
  });
});

test('a failed event has its effect once after a fix and a replay', async () => {
  let broken = true;
  const mendable: EventHandler<TestTables, { note: string }> = async (trx, data, event) => {
    await remember(trx, data, event);
    if (broken) throw new Error('not mended yet');
  };
  consume(mendable);
  const id = await write('late');
  await eventually(async () => (await failed()).length === 1, { within: 20_000 });
  const deps = {
    db,
    clock: systemClock,
    sources: [
      failedEvents([
        consumerOf<TestTables, typeof events>('content', events, {
          'content.note.written': mendable,
        }),
      ]),
    ],
    record: async () => undefined,
  };
  const by = { admin_id: id, username: 'vera', ip: '203.0.113.7', request_id: 'one' };
  expect(await replayFailed(deps, `event.${id}`, by)).toMatchObject({ outcome: 'parked' });
  expect(await notes()).toEqual([]);
  broken = false;
  expect(await replayFailed(deps, `event.${id}`, by)).toMatchObject({ outcome: 'replayed' });
  const row = await db.selectFrom('outbox').select('payload').executeTakeFirstOrThrow();
  await bus.js.publish(bus.subjectOf('content.note.written'), row.payload);
  await write('after');
  await eventually(async () => (await notes()).includes('after'));
  expect(await notes()).toEqual(['after', 'late']);
});

test('an event never fails because of a Postgres outage, however long', async () => {
  let tries = 0;
  consume(async (trx, data, event) => {
    tries += 1;
    if (tries <= 5)
      await sql`do $$ begin raise exception 'starting up' using errcode = '57P03'; end $$`.execute(
        trx,
      );
    await remember(trx, data, event);
  });
  await write('kept');
  await eventually(async () => (await notes()).length > 0, { within: 25_000 });
  expect(tries).toBe(6);
  expect(await failed()).toEqual([]);
});

test("a message that isn't an event fails immediately", async () => {
  consume(remember);
  await loops.settle();
  await eventually(() => bus.ensureStream('content'));
  await bus.js.publish(bus.subjectOf('content.note.written'), 'not json');
  const rows = await eventually(async () => ((await failed()).length === 1 ? failed() : null));
  expect(rows[0]).toMatchObject({ tries: 1, error: 'not an event' });
});

test('a failed handler leaves no effect and is retried', async () => {
  let failed = false;
  consume(async (trx, data, event) => {
    await remember(trx, data, event);
    if (!failed) {
      failed = true;
      throw new Error('the first try breaks after its write');
    }
  });
  await write('again');
  await eventually(async () => (await notes()).length > 0);
  expect(failed).toBe(true);
  expect(await notes()).toEqual(['again']);
});

test('a lost stream is rebuilt from the outbox, without repeated effects', async () => {
  consume(remember);
  await write('before the loss');
  await eventually(async () => (await notes()).length === 1);
  await bus.jsm.streams.delete(bus.streamOf('content'));
  await write('after the loss');
  await eventually(async () => (await notes()).includes('after the loss'), { within: 20_000 });
  // The relay gives up on consumers that are down after ten seconds.
  const info = await eventually(
    async () => {
      const found = await bus.jsm.streams.info(bus.streamOf('content'));
      return found.state.messages >= 2 ? found : null;
    },
    { within: 40_000 },
  );
  // What the relay published to the new stream may be published again.
  expect(info.state.messages).toBeLessThanOrEqual(3);
  expect(await notes()).toEqual(['after the loss', 'before the loss']);
}, 90_000);

test('a lost stream is rebuilt completely, also in several batches', async () => {
  await write('first');
  await eventually(
    async () => (await bus.jsm.streams.info(bus.streamOf('content'))).state.messages,
  );
  await sql`insert into outbox (id, type, occurred_at, payload, sent_at)
    select id, 'content.note.written', now(), json_build_object('id', id, 'type', 'content.note.written',
      'occurred_at', '2027-03-09T15:00:00.000Z', 'data', json_build_object('note', 'old'))::text, now()
    from (select gen_random_uuid() as id from generate_series(1, 5200)) as ids`.execute(db);
  await bus.jsm.streams.delete(bus.streamOf('content'));
  await eventually(
    async () => (await bus.jsm.streams.info(bus.streamOf('content'))).state.messages >= 5_201,
    { within: 60_000 },
  );
}, 90_000);

test('two relays on one outbox publish every event, and the consumer handles each once', async () => {
  const second = createLoops(createRelay({ db, bus, owner: 'content', clock: systemClock, log }), {
    clock: systemClock,
    log,
  });
  second.start();
  consume(remember);
  await Promise.all(Array.from({ length: 60 }, (_unused, index) => write(`note ${index}`)));
  await eventually(async () => (await notes()).length === 60);
  await second.stop();
  expect(new Set(await notes()).size).toBe(60);
});

test('a single NATS server is detected when a cluster is configured, and still works', async () => {
  const settings = { url: requiredUrl('TEST_NATS_URL'), name: 'events-test', replicas: 3 };
  const clustered = await connectBus({ ...settings, prefix: uniquePrefix() });
  await expect(clustered.ensureStream('content')).rejects.toThrow(
    /3 replicas of stream .*CONTENT set by NATS_REPLICAS: /,
  );
  await clustered.close();
  const created = await eventually(() => bus.ensureStream('content'));
  const prefix = bus.streamOf('content').replace('CONTENT', '');
  const grown = await connectBus({ ...settings, prefix });
  await expect(grown.checkCopies('content')).rejects.toThrow('set by NATS_REPLICAS: it keeps 1');
  expect(await grown.ensureStream('content')).toBe(created);
  await grown.close();
});

test('events that wait together are applied in one transaction each once, and a poison one is set aside alone', async () => {
  for (let index = 0; index < 12; index += 1) await write(index === 5 ? 'poison' : `note ${index}`);
  await eventually(
    async () => {
      const { state } = await bus.jsm.streams.info(bus.streamOf('content'));
      return state.messages === 12;
    },
    { what: 'all events in the stream' },
  );
  const sizes: number[] = [];
  consumeSets(async (trx, items) => {
    for (const { data } of items) {
      if (data.note === 'poison') throw new PoisonEvent('poison');
      await trx
        .insertInto('effects')
        .values({ event_id: crypto.randomUUID(), note: data.note })
        .execute();
    }
    sizes.push(items.length);
  });
  await eventually(
    async () => {
      const { ack_floor } = await bus.jsm.consumers.info(bus.streamOf('content'), 'scheduler');
      return ack_floor.stream_seq === 12;
    },
    { what: 'all acknowledgments' },
  );
  const notes = await db.selectFrom('effects').select('note').execute();
  expect(notes.map(({ note }) => note).sort()).toEqual(
    Array.from({ length: 12 }, (_, index) => `note ${index}`)
      .filter((note) => note !== 'note 5')
      .sort(),
  );
  const failed = await db.selectFrom('parked_events').select('payload').execute();
  expect(failed.map(({ payload }) => JSON.parse(payload).data.note)).toEqual(['poison']);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(11);
});

test('a set of events is applied once when the process ends before it acknowledges them', async () => {
  for (const note of ['one', 'two', 'three']) await write(note);
  await loops.settle();
  // As if one had come again before the first delivery was handled.
  const { payload } = await db.selectFrom('outbox').select('payload').executeTakeFirstOrThrow();
  await bus.js.publish(bus.subjectOf('content.note.written'), payload);
  const applied: string[] = [];
  const starts = () =>
    consumeSets(async (_trx, items) => {
      applied.push(...items.map(({ data }) => data.note));
    });
  starts();
  await eventually(async () => applied.length === 3);
  await eventually(async () => {
    const rows = await db.selectFrom('inbox').select('event_id').execute();
    return rows.length === 3;
  });
  // As if no acknowledgment had arrived: the same events come again.
  await consumers[0]?.stop();
  await bus.jsm.consumers.delete(bus.streamOf('content'), 'scheduler');
  await bus.jsm.consumers.add(bus.streamOf('content'), {
    durable_name: 'scheduler',
    ack_policy: AckPolicy.Explicit,
  });
  starts();
  await eventually(async () => {
    const { ack_floor } = await bus.jsm.consumers.info(bus.streamOf('content'), 'scheduler');
    return ack_floor.stream_seq === 4;
  });
  expect(applied).toHaveLength(3);
});

test('an urgent event is applied while thousands of others wait, and once', async () => {
  const stops = {
    'sms.batch.progressed': Type.Object({ note: Type.String() }),
    'sms.recipient.opted_out': Type.Object({ note: Type.String() }),
  };
  const relay = createLoops(createRelay({ db, bus, owner: 'sms', clock: systemClock, log }), {
    clock: systemClock,
    log,
  });
  await loops.stop();
  await bus.ensureStream('sms');
  const publishAll = (type: keyof typeof stops, count: number) =>
    db.transaction().execute(async (trx) => {
      for (let index = 0; index < count; index += 1)
        await publish(trx, stops, type, { note: type }, new Date());
    });
  await publishAll('sms.batch.progressed', 1_000);
  await publishAll('sms.recipient.opted_out', 1);
  const release = Promise.withResolvers<void>();
  const definition = consumerOf<TestTables, typeof stops>('sms', stops, {
    // As if the first of them took as long as all.
    'sms.batch.progressed': () => release.promise,
    'sms.recipient.opted_out': remember,
  });
  const options = { service: 'scheduler', db, bus, clock: systemClock, log };
  consumers = [options, { ...options, isUrgent: true }].map((one) =>
    createConsumer(one, definition),
  );
  for (const consumer of consumers) consumer.start();
  relay.start();
  await eventually(async () => (await notes()).length === 1, { what: 'the urgent event' });
  release.resolve();
  await eventually(
    async () => (await consumers[0]?.loop.pending?.()) === 0 && (await countInbox()) === 1_001,
    { what: 'all events', within: 60_000 },
  );
  expect(await notes()).toEqual(['sms.recipient.opted_out']);
  await relay.stop();
  await bus.jsm.streams.delete(bus.streamOf('sms'));
}, 90_000);

const countInbox = async () => (await db.selectFrom('inbox').select('event_id').execute()).length;

test('a stopping replica leaves its waiting events to the others without delay', async () => {
  const [started, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const written = ['a', 'b', 'c', 'd', 'e'];
  for (const note of written) await write(note);
  await loops.settle();
  consume(async (...event) => {
    started.resolve();
    await stopped.promise;
    await remember(...event);
  });
  await started.promise;
  const stopping = consumers[0]?.stop();
  stopped.resolve();
  await stopping;
  expect(await notes()).toEqual(['a']);
  consume(remember);
  await eventually(async () => (await notes()).length === written.length);
});

test('an event that stopping replicas have handed over is still retried after a failure', async () => {
  await write('a');
  const consumer = await bus.js.consumers.get(bus.streamOf('content'), 'scheduler');
  for (let replica = 0; replica < 5; replica += 1) (await consumer.next())?.nak();
  let tries = 0;
  consume(async (...event) => {
    tries += 1;
    if (tries === 1) throw new Error('the first try fails');
    await remember(...event);
  });
  await eventually(async () => (await notes()).length === 1 || (await failed()).length === 1);
  expect([await notes(), await failed()]).toEqual([['a'], []]);
});

test('a process keeps extending the ack wait of all its events until each is done, also after a failed set', async () => {
  const stream = bus.streamOf('content');
  await bus.jsm.consumers.update(stream, 'scheduler', { ack_wait: 600_000_000 });
  const written = ['a', 'b', 'c', 'd', 'e'];
  for (const note of written) await write(note);
  await loops.settle();
  const extended = new Set<string>();
  bus.nats.subscribe('$JS.ACK.>', {
    callback: (_error, message) => {
      if (message.subject.includes(stream) && message.string() === '+WPI')
        extended.add(message.subject);
    },
  });
  const done: string[] = [];
  const consumer = consumeSets(async (_trx, items) => {
    extended.clear();
    await eventually(() => extended.size >= written.length - done.length);
    if (items.length > 1) throw new Error('not together');
    done.push(...items.map(({ data }) => data.note));
  });
  await eventually(async () => (await consumer.loop.pending?.()) === 0 && done.length > 0, {
    within: 30_000,
  });
  expect(done).toEqual(written);
});

import { systemClock } from '@daylift/clock/clock';
import { createDatabase } from '@daylift/database/create-database';
import { createLogger } from '@daylift/server/logger';
import { createLoops, type Loops } from '@daylift/server/loops';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bus, connectBus } from './bus.ts';
import { createConsumer, type EventConsumer } from './consume.ts';
import type { EventTables } from './event-tables.ts';
import { consumerOf } from './handle-event.ts';
import { publish } from './publish.ts';
import { createRelay } from './relay.ts';

interface TestTables extends EventTables {
  effects: { event_id: string; note: string };
}

const events = { 'content.note.written': Type.Object({ note: Type.String() }) };
const log = createLogger('resend-test', 'silent');
const prefix = uniquePrefix();

let database: TestDatabase;
let db: Kysely<TestTables>;
let bus: Bus;
let loops: Loops;
let consumers: EventConsumer[];

beforeEach(async () => {
  database = await createTestDatabase({
    schema: 'events_test',
    folder: new URL('../test/migrations', import.meta.url).pathname,
  });
  db = createDatabase<TestTables>({ url: database.url, name: 'test', onError: () => undefined });
  bus = await connectTestBus();
  await bus.ensureStream('content');
  loops = createLoops(createRelay({ db, bus, owner: 'content', clock: systemClock, log }), {
    clock: systemClock,
    log,
  });
  consumers = [];
});

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await loops.stop();
  await bus.jsm.streams.delete(bus.streamOf('content')).catch(() => undefined);
  await bus.close();
  await db.destroy();
  await database.drop();
});

const connectTestBus = (maxBytes?: number) =>
  connectBus({
    url: requiredUrl('TEST_NATS_URL'),
    name: 'resend-test',
    prefix,
    ...(maxBytes && { maxBytes }),
  });

/** Both services that consume the stream, with one inbox. */
function consumeAll(): void {
  for (const service of ['accounts', 'scheduler']) {
    const consumer = createConsumer(
      { service, db, bus, clock: systemClock, log },
      consumerOf<TestTables, typeof events>('content', events, {
        'content.note.written': async (trx, data, event) => {
          await trx.insertInto('effects').values({ event_id: event.id, note: data.note }).execute();
        },
      }),
    );
    consumers.push(consumer);
    consumer.start();
  }
}

const write = (note: string) =>
  db
    .transaction()
    .execute((trx) => publish(trx, events, 'content.note.written', { note }, new Date()));

const hasEffect = async (note: string) =>
  (await db.selectFrom('effects').select('note').where('note', '=', note).execute()).length > 0;

const resendBefore = async () =>
  (await db.selectFrom('relay_state').select('resend_before').executeTakeFirst())?.resend_before;

/** Inserts events that were published and handled yesterday. */
async function insertHandled(count: number): Promise<void> {
  await sql`with published as (
      insert into outbox (id, type, occurred_at, payload, sent_at)
      select id, 'content.note.written', now() - interval '1 day', json_build_object('id', id,
        'type', 'content.note.written', 'occurred_at', '2027-03-09T15:00:00.000Z',
        'data', json_build_object('note', 'old'))::text, now()
      from (select gen_random_uuid() as id from generate_series(1, ${count}::integer)) as ids
      returning id, type, occurred_at
    )
    insert into inbox (event_id, type, handled_at) select id, type, occurred_at from published`.execute(
    db,
  );
}

test('a new event arrives within a second while a large outbox is published again', async () => {
  for (let part = 1; part <= 5; part += 1) await insertHandled(20_000);
  loops.start();
  consumeAll();
  await write('before');
  await eventually(() => hasEffect('before'), { within: 20_000 });
  await eventually(resendBefore);
  await bus.jsm.streams.delete(bus.streamOf('content'));
  const lost = performance.now();
  await write('first');
  await eventually(() => hasEffect('first'), { within: 20_000 });
  expect(performance.now() - lost).toBeLessThan(10_000);
  const seconds: number[] = [];
  const start = await eventually(resendBefore);
  for (let round = 1; round <= 9; round += 1) {
    const left = await resendBefore();
    await eventually(async () => (await resendBefore()) !== left, { within: 20_000 });
    const at = performance.now();
    await write(`round ${round}`);
    loops.nudge('outbox-relay');
    await eventually(() => hasEffect(`round ${round}`), { within: 20_000 });
    seconds.push((performance.now() - at) / 1_000);
  }
  expect(await resendBefore()).toBeGreaterThan(1);
  expect(await resendBefore()).toBeLessThan(start ?? 0);
  expect(seconds.toSorted((a, b) => a - b)[2]).toBeLessThan(1);
}, 240_000);

test('the newest past events are published again first, in blocks that keep their order', async () => {
  await insertHandled(450);
  await eventually(
    async () => {
      await loops.settle();
      return (await resendBefore()) === null;
    },
    { within: 60_000 },
  );
  const payloads = await db.selectFrom('outbox').select('payload').orderBy('position').execute();
  const stream = await bus.jsm.streams.info(bus.streamOf('content'));
  expect(stream.state.messages).toBe(450);
  const sent = await Promise.all(
    Array.from({ length: 450 }, (_unused, index) =>
      bus.jsm.streams.getMessage(bus.streamOf('content'), { seq: index + 1 }),
    ),
  );
  const order = sent.map((one) => payloads.findIndex(({ payload }) => payload === one?.string()));
  expect(order.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_unused, index) => 430 + index));
  const falls = order.filter((position, index) => index > 0 && position < (order[index - 1] ?? 0));
  expect(falls.length).toBeLessThan(23);
  expect(order.toSorted((a, b) => a - b)).toEqual([...payloads.keys()]);
}, 90_000);

test('events that a full stream dropped reach a service that was down', async () => {
  const limited = await connectTestBus(1_000_000);
  await limited.ensureStream('content');
  await limited.close();
  loops.start();
  const large = 'x'.repeat(10_000);
  for (let number = 1; number <= 150; number += 1) await write(`${number} ${large}`);
  await eventually(
    async () => {
      const { state } = await bus.jsm.streams.info(bus.streamOf('content'));
      return state.last_seq === 150 && state.first_seq > 1;
    },
    { within: 20_000 },
  );
  await eventually(async () => (await resendBefore()) === 151, { within: 20_000 });
  consumeAll();
  await eventually(
    async () => {
      const notes = await db.selectFrom('effects').select('note').execute();
      return new Set(notes.map(({ note }) => note)).size === 150;
    },
    { within: 40_000 },
  );
}, 90_000);

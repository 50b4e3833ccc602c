import { systemClock } from '@daylift/clock/clock';
import { createDatabase } from '@daylift/database/create-database';
import { createLogger } from '@daylift/server/logger';
import { createLoops, type Loops } from '@daylift/server/loops';
import { exportTraces } from '@daylift/telemetry/export-traces';
import { currentTraceparent, inSpan } from '@daylift/telemetry/tracing';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { startTraceCollector, type TraceCollector } from '@daylift/testing/trace-collector';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bus, connectBus } from './bus.ts';
import { createConsumer, type EventConsumer } from './consume.ts';
import type { EventTables } from './event-tables.ts';
import { consumerOf } from './handle-event.ts';
import { publish } from './publish.ts';
import { createRelay } from './relay.ts';

const events = { 'content.note.written': Type.Object({ note: Type.String() }) };
const log = createLogger('events-test', 'silent');

let collector: TraceCollector;
let stopExport: () => Promise<void>;
let database: TestDatabase;
let db: Kysely<EventTables>;
let bus: Bus;
let loops: Loops;
let consumer: EventConsumer;
let handledIn: (string | null)[];
beforeAll(async () => {
  collector = await startTraceCollector();
  stopExport = exportTraces({ service: 'test', endpoint: collector.url, ratio: 1 });
  database = await createTestDatabase({
    schema: 'events_test',
    folder: new URL('../test/migrations', import.meta.url).pathname,
  });
  db = createDatabase<EventTables>({
    url: database.url,
    name: 'event-traces',
    onError: () => undefined,
  });
  bus = await connectBus({
    url: requiredUrl('TEST_NATS_URL'),
    name: 'event-traces',
    prefix: uniquePrefix(),
  });
  loops = createLoops(createRelay({ db, bus, owner: 'content', clock: systemClock, log }), {
    clock: systemClock,
    log,
  });
  loops.start();
  handledIn = [];
  consumer = createConsumer(
    { service: 'scheduler', db, bus, clock: systemClock, log },
    consumerOf<EventTables, typeof events>('content', events, {
      'content.note.written': async () => void handledIn.push(currentTraceparent()),
    }),
  );
  consumer.start();
});
afterAll(async () => {
  await consumer.stop();
  await loops.stop();
  await bus.jsm.streams.delete(bus.streamOf('content')).catch(() => undefined);
  await bus.close();
  await db.destroy();
  await database.drop();
  await stopExport();
  collector.close();
});

const write = () =>
  db
    .transaction()
    .execute((trx) => publish(trx, events, 'content.note.written', { note: 'Ada' }, new Date()));

test('an event continues its trace: outbox, NATS, handler', async () => {
  let traceparent: string | null = null;
  await inSpan('write a note', { begins: true }, async () => {
    traceparent = currentTraceparent();
    await write();
  });
  await eventually(() => handledIn.length === 1);
  const trace = String(traceparent).split('-')[1];
  expect(handledIn[0]?.split('-')[1]).toBe(trace);
  const spans = await eventually(() => {
    const traced = collector.spans().filter((span) => span.trace_id === trace);
    return traced.length >= 3 && traced;
  });
  const id = (name: string) => spans.find((span) => span.name === name)?.span_id;
  expect(spans.map(({ name, parent_id }) => [name, parent_id])).toEqual(
    expect.arrayContaining([
      ['write a note', null],
      ['publish content.note.written', id('write a note')],
      ['process content.note.written', id('publish content.note.written')],
    ]),
  );
  expect(collector.raw()).not.toContain('Ada');
});

test('an event without a trace starts none', async () => {
  const before = handledIn.length;
  await write();
  await eventually(() => handledIn.length > before);
  expect(handledIn.at(-1)).toBeNull();
});

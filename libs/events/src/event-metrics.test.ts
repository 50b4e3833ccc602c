import { createDatabase } from '@daylift/database/create-database';
import { createServer, type Server } from '@daylift/server/create-server';
import { createFixedClock } from '@daylift/testing/fixed-clock';
import { readMetrics } from '@daylift/testing/metrics';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureOutbox } from './event-metrics.ts';
import type { EventTables } from './event-tables.ts';
import { publish } from './publish.ts';

const events = { 'content.note.written': Type.Object({ note: Type.String() }) };
const clock = createFixedClock('2027-03-05T12:00:00Z');

let database: TestDatabase;
let db: Kysely<EventTables>;
let app: Server;
beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'events_test',
    folder: new URL('../test/migrations', import.meta.url).pathname,
  });
  db = createDatabase<EventTables>({
    url: database.url,
    name: 'event-metrics',
    onError: () => undefined,
  });
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  measureOutbox(db, clock);
});
afterAll(async () => {
  await app.close();
  await db.destroy();
  await database.drop();
});

const write = () =>
  db
    .transaction()
    .execute((trx) => publish(trx, events, 'content.note.written', { note: 'x' }, clock.now()));
const figures = async () => {
  const figure = await readMetrics(app);
  return [figure('outbox_unsent_events'), figure('outbox_oldest_unsent_seconds')];
};

test('unpublished events are counted, with the age of the oldest', async () => {
  expect(await figures()).toEqual([0, 0]);
  await write();
  clock.set('2027-03-05T12:01:30Z');
  await write();
  expect(await figures()).toEqual([2, 90]);
  await db.updateTable('outbox').set({ sent_at: new Date() }).where('position', '=', 1).execute();
  expect(await figures()).toEqual([1, 0]);
});

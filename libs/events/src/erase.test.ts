import { randomUUID } from 'node:crypto';
import { systemClock } from '@daylift/clock/clock';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { createDatabase } from '@daylift/database/create-database';
import { createLogger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { eventually } from '@daylift/testing/eventually';
import { publishedEvents } from '@daylift/testing/published';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bus, connectBus } from './bus.ts';
import { createConsumer, type EventConsumer } from './consume.ts';
import { createErasureLoop, type ErasureTables, eraseFacts, eraseFailedEvents } from './erase.ts';
import { consumerOf } from './handle-event.ts';
import { publish } from './publish.ts';
import { createRelay } from './relay.ts';

const log = createLogger('erase-test', 'silent');
let database: TestDatabase;
let db: Kysely<ErasureTables>;
let bus: Bus;
let relay: Loop;
const consumers: EventConsumer[] = [];

beforeEach(async () => {
  database = await createTestDatabase({
    schema: 'erase_test',
    folder: new URL('../test/migrations', import.meta.url).pathname,
  });
  db = createDatabase({ url: database.url, name: 'erase-test', onError: () => undefined });
  bus = await connectBus({
    url: requiredUrl('TEST_NATS_URL'),
    name: 'erase-test',
    prefix: uniquePrefix(),
  });
  const [first] = createRelay({ db, bus, owner: 'accounts', clock: systemClock, log });
  if (first?.name !== 'outbox-relay') throw new Error('the relay comes first');
  relay = first;
});

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  await bus.jsm.streams.delete(bus.streamOf('accounts')).catch(() => undefined);
  await bus.close();
  await db.destroy();
  await database.drop();
});

const send = () => relay.run?.();
const eraseNow = (searchMs: number) =>
  createErasureLoop({ db, bus, owner: 'accounts', searchMs }).run?.();

const publishCode = (user_id: string) =>
  db.transaction().execute((trx) => {
    const expires_at = new Date().toISOString();
    const data = { request_id: randomUUID(), user_id, expires_at };
    return publish(trx, accountsEvents, 'accounts.code.requested', data, new Date());
  });
const deleteUser = (user_id: string) =>
  db.transaction().execute(async (trx) => {
    await eraseFacts(trx, user_id);
    await publish(trx, accountsEvents, 'accounts.user.deleted', { user_id }, new Date());
  });

/** Returns what a new consumer reads from the stream. */
async function facts(): Promise<string[]> {
  const { state } = await bus.jsm.streams.info(bus.streamOf('accounts'));
  const stored: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await bus.jsm.streams
      .getMessage(bus.streamOf('accounts'), { seq })
      .catch(() => null);
    if (message === null) continue;
    const { type, data } = message.json<{ type: string; data: { user_id: string } }>();
    stored.push(`${type} ${data.user_id}`);
  }
  return stored;
}

test('events of a deleted person leave the outbox immediately and the stream soon; others stay', async () => {
  const [deleted, other] = [randomUUID(), randomUUID()];
  for (const id of [deleted, other, deleted, deleted]) await publishCode(id);
  await send();
  await publishCode(deleted);
  await deleteUser(deleted);
  expect((await publishedEvents(db)).map((event) => event.type)).toEqual([
    'accounts.code.requested',
    'accounts.user.deleted',
  ]);
  await send();
  await eraseNow(60_000);
  expect(await facts()).toEqual([
    `accounts.code.requested ${other}`,
    `accounts.user.deleted ${deleted}`,
  ]);
});

test("a consumer that is behind receives only the deletion, and doesn't block", async () => {
  const [deleted, other] = [randomUUID(), randomUUID()];
  for (const id of [deleted, other, deleted]) await publishCode(id);
  await deleteUser(deleted);
  await send();
  await eraseNow(60_000);
  const received: string[] = [];
  const consumer = createConsumer(
    { service: 'scheduler', db, bus, clock: systemClock, log },
    consumerOf<ErasureTables, typeof accountsEvents>('accounts', accountsEvents, {
      'accounts.code.requested': async (_trx, data) => void received.push(`code ${data.user_id}`),
      'accounts.user.deleted': async (_trx, data) => void received.push(`deleted ${data.user_id}`),
    }),
  );
  consumers.push(consumer);
  consumer.start();
  await eventually(async () => received.length === 2);
  expect(received).toEqual([`code ${other}`, `deleted ${deleted}`]);
  await eventually(async () => (await consumer.loop.pending?.()) === 0);
});

test('an event relayed late is found by a later search, which only then ends', async () => {
  const deleted = randomUUID();
  await deleteUser(deleted);
  await send();
  const id = randomUUID();
  const late = { id, type: 'accounts.code.requested', data: { user_id: deleted } };
  await bus.js.publish(bus.subjectOf(late.type), JSON.stringify(late));
  const searches = () => db.selectFrom('erasures').select('user_id').execute();
  await eraseNow(0);
  expect(await facts()).toEqual([`accounts.user.deleted ${deleted}`]);
  expect(await searches()).toHaveLength(1);
  await db
    .updateTable('erasures')
    .set({ next_look_at: new Date(0) })
    .execute();
  await eraseNow(60_000);
  expect(await searches()).toHaveLength(1);
  await db
    .updateTable('erasures')
    .set({ next_look_at: new Date(0) })
    .execute();
  await eraseNow(0);
  expect(await searches()).toEqual([]);
});

test('failed events of a deleted person are deleted too', async () => {
  const [deleted, other] = [randomUUID(), randomUUID()];
  for (const user_id of [deleted, other])
    await db
      .insertInto('parked_events')
      .values({
        event_id: randomUUID(),
        type: 'accounts.user.registered',
        payload: JSON.stringify({ data: { user_id } }),
        tries: 5,
        error: 'no',
        parked_at: new Date(),
      })
      .execute();
  await db.transaction().execute((trx) => eraseFailedEvents(trx, deleted));
  const left = await db.selectFrom('parked_events').select('payload').execute();
  expect(left.map((row) => row.payload)).toEqual([JSON.stringify({ data: { user_id: other } })]);
  expect(await db.selectFrom('inbox').select('type').execute()).toEqual([
    { type: 'accounts.user.registered' },
  ]);
});

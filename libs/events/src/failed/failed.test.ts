import { randomUUID } from 'node:crypto';
import { systemClock } from '@daylift/clock/clock';
import type { FailedItems } from '@daylift/contracts/failed.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { createDatabase } from '@daylift/database/create-database';
import { createServer, type Server } from '@daylift/server/create-server';
import { type Identity, identityHeader, registerIdentity } from '@daylift/server/identity';
import { signTestIdentity, testPublicKeys } from '@daylift/testing/identity';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventTables } from '../event-tables.ts';
import { consumerOf, handleEvent } from '../handle-event.ts';
import { registerFailed } from './failed.routes.ts';
import { failedEvents } from './failed-events.ts';

interface TestTables extends EventTables {
  effects: { event_id: string; note: string };
}

const events = {
  'content.note.written': Type.Object({ note: Type.String(), user_id: Type.String() }),
};
const sign = signTestIdentity('accounts');
const asAdmin = (role: AdminRole, username = 'vera'): Identity => ({
  kind: 'admin',
  admin_id: randomUUID(),
  username,
  role,
  session_version: 0,
});

let database: TestDatabase;
let db: Kysely<TestTables>;
let app: Server;
let broken: boolean;
let adminActions: string[];

const subscribed = consumerOf<TestTables, typeof events>('content', events, {
  'content.note.written': async (trx, { note }, event) => {
    await trx.insertInto('effects').values({ event_id: event.id, note }).execute();
    if (broken) throw new Error('cannot reach ada@example.com');
  },
});

beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'failed_test',
    folder: new URL('../../test/migrations', import.meta.url).pathname,
  });
  const onError = () => undefined;
  db = createDatabase<TestTables>({ url: database.url, name: 'failed-test', onError });
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  registerIdentity(app, testPublicKeys, 'accounts');
  await registerFailed(app, 'accounts', {
    db,
    clock: systemClock,
    sources: [failedEvents([subscribed])],
    record: async (_trx, by, { action, target }) => {
      adminActions.push(`${by.username} ${action} ${target}`);
    },
  });
});
afterAll(async () => {
  await app.close();
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  broken = false;
  adminActions = [];
  for (const table of ['parked_events', 'inbox', 'effects'] as const)
    await db.deleteFrom(table).execute();
});

/** Creates an event that failed five times. */
async function aFailedEvent(note = 'hello Ada', payload?: string): Promise<string> {
  const id = randomUUID();
  const event = {
    id,
    type: 'content.note.written',
    occurred_at: '2027-03-09T15:00:00.000Z',
    data: { note, user_id: randomUUID() },
  };
  await db
    .insertInto('parked_events')
    .values({
      event_id: id,
      type: event.type,
      payload: payload ?? JSON.stringify(event),
      tries: 5,
      error: 'broken',
      parked_at: new Date(),
      ended_at: null,
    })
    .execute();
  return `event.${id}`;
}

const post = (path: string, as: Identity = asAdmin('owner'), body?: unknown) =>
  app.inject({
    method: 'POST',
    url: `/admin/parked/accounts/${path}`,
    headers: { [identityHeader]: sign(as) },
    ...(body !== undefined && { payload: body as object }),
  });
const list = async () => {
  const as: Identity = { kind: 'service', name: 'gateway' };
  const headers = { [identityHeader]: sign(as) };
  return (await app.inject({ url: '/internal/parked', headers })).json<FailedItems>();
};
const effects = () => db.selectFrom('effects').selectAll().execute();
const handleAgain = async (id: string) => {
  const event = {
    id: id.slice(6),
    type: 'content.note.written',
    occurred_at: '',
    data: { note: 'x', user_id: 'y' },
  };
  return handleEvent(db, subscribed, event, new Date());
};

describe('A failed event', () => {
  it('is listed with its reason and without personal data', async () => {
    const id = await aFailedEvent('Ada, +1 415 555 0170');
    const { total, items } = await list();
    expect(total).toBe(1);
    expect(items).toMatchObject([
      { id, kind: 'event', type: 'content.note.written', tries: 5, error: 'broken' },
    ]);
    expect(items[0]?.user_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(items)).not.toContain('Ada');
    expect(JSON.stringify(items)).not.toContain('0170');
  });

  it('has its effect exactly once when replayed, and is then closed', async () => {
    const id = await aFailedEvent();
    const response = await post(`${id}/replay`);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { outcome: 'replayed', error: null },
    ]);
    expect(await effects()).toHaveLength(1);
    expect((await list()).total).toBe(0);
    expect(await handleAgain(id)).toBe('duplicate');
    expect(adminActions).toEqual([`vera parked.replayed ${id}`]);
  });

  it('has its effect once for a double click and for concurrent admins', async () => {
    const id = await aFailedEvent();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, admin) =>
        post(`${id}/replay`, asAdmin('operator', `a${admin}`)),
      ),
    );
    expect(responses.map((one) => one.statusCode)).toEqual(Array(8).fill(200));
    expect(await effects()).toHaveLength(1);
    expect(adminActions).toHaveLength(1);
  });

  it('stays, with the new reason and one more try, when the replay fails, without an effect', async () => {
    const id = await aFailedEvent();
    broken = true;
    const why = 'cannot reach [address]';
    expect((await post(`${id}/replay`)).json()).toEqual({ outcome: 'parked', error: why });
    expect((await list()).items).toMatchObject([{ id, tries: 6, error: why }]);
    expect(await effects()).toEqual([]);
    expect(adminActions).toEqual([`vera parked.replay_failed ${id}`]);
    broken = false;
    expect((await post(`${id}/replay`)).json()).toMatchObject({ outcome: 'replayed' });
    expect(await effects()).toHaveLength(1);
  });

  it("that isn't an event or violates its schema stays after replays", async () => {
    const noEvent = await aFailedEvent('', 'not json');
    expect((await post(`${noEvent}/replay`)).json()).toEqual({
      outcome: 'parked',
      error: 'not an event',
    });
    expect((await list()).items).toMatchObject([{ payload: null, user_id: null }]);
    expect((await post(`${noEvent}/discard`)).json()).toMatchObject({ outcome: 'discarded' });
  });

  it('is closed once discarded, and its data is erased', async () => {
    const id = await aFailedEvent('words of Ada');
    for (const _ of [1, 2])
      expect((await post(`${id}/discard`)).json()).toEqual({ outcome: 'discarded', error: null });
    expect(adminActions).toEqual([`vera parked.discarded ${id}`]);
    expect(await handleAgain(id)).toBe('duplicate');
    const late = await post(`${id}/replay`);
    expect([late.statusCode, late.json<{ detail: string }>().detail]).toEqual([
      409,
      'Another admin has already discarded this.',
    ]);
    expect(await effects()).toEqual([]);
    const [row] = await db.selectFrom('parked_events').selectAll().execute();
    expect(row).toMatchObject({ ended_as: 'discarded', payload: '' });
  });

  it('that was also delivered another way is replayed without a second effect', async () => {
    const id = await aFailedEvent();
    expect(await handleAgain(id)).toBe('handled');
    expect((await post(`${id}/replay`)).json()).toMatchObject({ outcome: 'replayed' });
    expect(await effects()).toHaveLength(1);
    const discarding = await post(`${id}/discard`);
    expect(discarding.statusCode).toBe(409);
  });

  it('is replayed with others of its kind, without being blocked by failures', async () => {
    for (const note of ['one', 'two', 'three']) await aFailedEvent(note);
    await aFailedEvent('', 'not json');
    const body = { kind: 'event', type: 'content.note.written' };
    const response = await post('replay-all', asAdmin('operator'), body);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { replayed: 3, parked: 1, left: 0 },
    ]);
    expect(await effects()).toHaveLength(3);
    const other = { kind: 'event', type: 'content.other.written' };
    expect((await post('replay-all', asAdmin('operator'), other)).json()).toEqual({
      replayed: 0,
      parked: 0,
      left: 0,
    });
  });

  it('can be replayed by operators and discarded only by owners', async () => {
    const id = await aFailedEvent();
    const statuses: [string, AdminRole, number][] = [
      [`${id}/replay`, 'viewer', 403],
      ['replay-all', 'viewer', 403],
      [`${id}/discard`, 'viewer', 403],
      [`${id}/discard`, 'operator', 403],
      [`event.${randomUUID()}/replay`, 'operator', 404],
      [`event.nothing/replay`, 'operator', 404],
      [`mail.${randomUUID()}/replay`, 'operator', 404],
      [`nothing/replay`, 'operator', 400],
    ];
    for (const [path, role, status] of statuses)
      expect([path, (await post(path, asAdmin(role), {})).statusCode]).toEqual([path, status]);
    const anonymous = await app.inject({
      method: 'POST',
      url: `/admin/parked/accounts/${id}/replay`,
    });
    expect(anonymous.statusCode).toBe(401);
    const asOperator = { headers: { [identityHeader]: sign(asAdmin('operator')) } };
    expect((await app.inject({ url: '/internal/parked', ...asOperator })).statusCode).toBe(403);
    expect(await effects()).toEqual([]);
  });
});

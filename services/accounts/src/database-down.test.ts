import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createDatabase } from '@daylift/database/create-database';
import { eventually } from '@daylift/testing/eventually';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aUser } from '../test/factories.ts';
import { asUser, createHarness, type Harness } from '../test/harness.ts';
import type { AccountsDatabase } from './database.ts';

let harness: Harness;
let working: Kysely<AccountsDatabase>;
const opened: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  harness = await createHarness();
  working = harness.deps.db;
});
afterEach(async () => {
  harness.deps.db = working;
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(() => harness.close());

const unavailable = {
  detail: "We can't reach our database right now. Please try again in a moment.",
  code: 'UNAVAILABLE',
};
const logIn = () =>
  harness.call({
    method: 'POST',
    url: '/users/login',
    body: { login: 'ann@example.com', password: 'secret-words' },
  });

/** Connects the service to this database, with a name by which its sessions are found. */
function connectTo(url: string, name: string): void {
  const db = createDatabase<AccountsDatabase>({ url, name, onError: () => undefined });
  opened.push(() => db.destroy());
  harness.deps.db = db;
}

/** Starts a fake database that handles connections as given. */
async function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server;
}
/** Terminates sessions like a stopping server. Returns how many there were. */
async function endSessions(name: string, waitingFor?: string): Promise<number> {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${name}
      and (${waitingFor ?? null}::text is null or wait_event_type = ${waitingFor ?? null})`.execute(
    working,
  );
  return rows.length;
}
const urlOf = (server: Server) =>
  `postgres://accounts:secret@127.0.0.1:${(server.address() as AddressInfo).port}/daylift`;

describe('While the database is unreachable', () => {
  it('responds 503 when the connection is refused', async () => {
    const server = await listen(() => undefined);
    const url = urlOf(server);
    server.close();
    connectTo(url, 'nobody-listens');
    const response = await logIn();
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject(unavailable);
  });

  it('responds 503 when the connection is cut', async () => {
    connectTo(urlOf(await listen((socket) => socket.destroy())), 'cut');
    expect((await logIn()).statusCode).toBe(503);
  });

  it('responds 503 when connecting times out', async () => {
    connectTo(urlOf(await listen(() => undefined)), 'silent');
    const response = await logIn();
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject(unavailable);
  });

  it('responds 503 when the pool stays full', async () => {
    connectTo(harness.databaseUrl, 'busy');
    const { db } = harness.deps;
    const busy = Promise.all(
      Array.from({ length: 5 }, () => sql`select pg_sleep(25)`.execute(db).catch(() => undefined)),
    );
    const response = await logIn();
    await endSessions('busy');
    await busy;
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject(unavailable);
  });

  it('responds 503 when the server stops during a query', async () => {
    const { id } = await aUser(harness);
    connectTo(harness.databaseUrl, 'stopping');
    const response = await working.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
      const [changed] = await Promise.all([
        harness.call({
          method: 'PUT',
          url: '/users/me',
          as: asUser(id),
          body: { delivery_time: '09:00' },
        }),
        eventually(async () => (await endSessions('stopping', 'Lock')) > 0),
      ]);
      return changed;
    });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject(unavailable);
  });

  it('responds 500 without details when the database rejects a query', async () => {
    harness.deps.db = working.withSchema('nowhere');
    const response = await logIn();
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({
      detail: 'Something went wrong on our side. Please try again.',
      code: 'ERROR',
    });
  });
});

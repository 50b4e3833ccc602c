import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AdminRole } from '@daylift/contracts/fields';
import { createDatabase } from '@daylift/database/create-database';
import { type Handled, handleEvent } from '@daylift/events/handle-event';
import type { Server } from '@daylift/server/create-server';
import { type Identity, identityHeader } from '@daylift/server/identity';
import { createFixedClock, type FixedClock } from '@daylift/testing/fixed-clock';
import { signTestIdentity, testPublicKeys } from '@daylift/testing/identity';
import { createTestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { buildApp } from '../src/app.ts';
import { consumers } from '../src/consumers.ts';
import type { ContentDatabase } from '../src/database.ts';

export interface TestContent {
  db: Kysely<ContentDatabase>;
  app: Server;
  clock: FixedClock;
  as(identity: Identity): Record<string, string>;
  asAdmin(role?: AdminRole): Record<string, string>;
  /** POST /admin/scheduled-messages as an operator; defaults are valid. */
  schedule(change?: Record<string, unknown>): Promise<{ status: number; body: Body }>;
  remove(id: string): Promise<{ status: number; body: Body | null }>;
  call<T = Body>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    role?: AdminRole,
  ): Promise<{ status: number; body: T; total: number }>;
  list(query?: string): Promise<Body[]>;
  hear(owner: 'sms' | 'scheduler', type: string, data: unknown, id?: string): Promise<Handled>;
  stop(): Promise<void>;
}

export type Body = Record<string, unknown> & { id: string; detail: string; code: string };

/** The service with its own database, without a port and NATS. */
export async function startContent(): Promise<TestContent> {
  const database = await createTestDatabase({
    schema: 'content',
    folder: join(import.meta.dirname, '../migrations'),
  });
  const clock = createFixedClock('2027-03-06T12:00:00Z');
  const db = createDatabase<ContentDatabase>({
    url: database.url,
    name: 'content-test',
    onError: () => undefined,
  });
  const app = await buildApp(
    {
      db,
      clock,
      product: { name: 'Daylift', supportEmail: 'support@daylift.test' },
      operatorTimeZone: 'America/New_York',
    },
    { logLevel: 'silent', identityPublicKeys: testPublicKeys, readiness: {} },
  );
  const sign = signTestIdentity('content');
  const test: TestContent = {
    db,
    app,
    clock,
    as: (identity) => ({ [identityHeader]: sign(identity) }),
    asAdmin: (role = 'operator') =>
      test.as({
        kind: 'admin',
        admin_id: randomUUID(),
        username: 'vera',
        role,
        session_version: 0,
      }),
    async schedule(change = {}) {
      const response = await app.inject({
        method: 'POST',
        url: '/admin/scheduled-messages',
        headers: test.asAdmin(),
        payload: {
          title: 'Spring',
          content: 'The light is back.',
          scheduled_date: '2027-03-07',
          ...change,
        },
      });
      return { status: response.statusCode, body: response.json() };
    },
    async remove(id) {
      const response = await app.inject({
        method: 'DELETE',
        url: `/admin/scheduled-messages/${id}`,
        headers: test.asAdmin(),
      });
      return { status: response.statusCode, body: response.body === '' ? null : response.json() };
    },
    async call<T>(
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      url: string,
      payload?: object,
      role?: AdminRole,
    ) {
      const response = await app.inject({
        method,
        url,
        headers: test.asAdmin(role),
        ...(payload === undefined ? {} : { payload }),
      });
      return {
        status: response.statusCode,
        body: (response.body === '' ? null : response.json()) as T,
        total: Number(response.headers['x-total-count']),
      };
    },
    async list(query = '') {
      const response = await app.inject({
        url: `/admin/scheduled-messages${query}`,
        headers: test.asAdmin('viewer'),
      });
      return response.json();
    },
    async hear(owner, type, data, id = randomUUID()) {
      const found = consumers().find((one) => one.owner === owner);
      if (found === undefined) throw new Error(`no consumer of ${owner}`);
      const event = { id, type, occurred_at: clock.now().toISOString(), data };
      return handleEvent(db, found, event, clock.now());
    },
    async stop() {
      await app.close();
      await db.destroy();
      await database.drop();
    },
  };
  return test;
}

/** Returns a route's statuses without a session, for a subscriber and for a viewer. */
export async function statuses(
  test: TestContent,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
): Promise<{ anonymous: number; user: number; viewer: number }> {
  const body = payload === undefined ? {} : { payload };
  const statusFor = async (headers: Record<string, string>) =>
    (await test.app.inject({ method, url, headers, ...body })).statusCode;
  return {
    anonymous: await statusFor({}),
    user: await statusFor(test.as({ kind: 'user', user_id: randomUUID(), session_version: 0 })),
    viewer: await statusFor(test.asAdmin('viewer')),
  };
}

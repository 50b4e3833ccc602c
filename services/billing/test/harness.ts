import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { connectSandboxClock, followSandboxClock } from '@daylift/clock/sandbox-clock';
import { accountsEvents, type UserContact } from '@daylift/contracts/accounts.events';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import type { EventTable } from '@daylift/contracts/event';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { createDatabase } from '@daylift/database/create-database';
import { type Handled, handleEvent } from '@daylift/events/handle-event';
import type { Server } from '@daylift/server/create-server';
import { type Identity, identityHeader } from '@daylift/server/identity';
import { createLogger } from '@daylift/server/logger';
import { createLoops } from '@daylift/server/loops';
import { createOpsServer } from '@daylift/server/ops-server';
import { registerSettle } from '@daylift/server/run-process';
import { eventually } from '@daylift/testing/eventually';
import { signTestIdentity, testIdentityKey, testPublicKeys } from '@daylift/testing/identity';
import { publishedEvents } from '@daylift/testing/published';
import type { TestSandbox } from '@daylift/testing/sandbox';
import { createTestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { chooseFreePorts } from '../../../deploy/local/ports.ts';
import { buildApp } from '../src/app.ts';
import { loadBillingConfig } from '../src/config.ts';
import { consumers } from '../src/consumers.ts';
import { createDeps } from '../src/create-deps.ts';
import type { BillingDatabase } from '../src/database.ts';
import type { BillingDeps } from '../src/deps.ts';
import { billingLoops } from '../src/loops.ts';
import { goodCard } from './cards.ts';
import { startSandbox, stripeKey, webhookSecret } from './sandbox.ts';

/** Timeout of tests that move the clock by days, for busy machines. */
export const journeyMs = 180_000;
export const origin = 'http://pages.test';

/** They read everything at the provider at each stop of the clock, which takes a tenth of a test's CPU time. */
const repairLoops = ['reconcile-events', 'compare-with-provider'];

export interface Advanced {
  now: string;
  unsettled: unknown[];
}

export interface TestBilling {
  db: Kysely<BillingDatabase>;
  deps: BillingDeps;
  app: Server;
  url: string;
  sandbox: TestSandbox;
  /** Signups that accounts has but has not published yet. */
  signupsAtAccounts: Map<string, SignupFacts>;
  signUp(facts?: Partial<SignupFacts>): Promise<SignupFacts>;
  /** Publishes that both contacts are proven, or replaced. */
  prove(facts: SignupFacts, change?: Partial<UserContact>): Promise<void>;
  hear(
    owner: 'accounts' | 'scheduler' | 'sms',
    type: string,
    data: unknown,
    id?: string,
  ): Promise<Handled>;
  as(identity: Identity): Record<string, string>;
  asUser(userId: string): Record<string, string>;
  /** Calls `/users/me/` as a user, by POST with a payload, and returns the body. */
  callAsUser<T>(userId: string, path: string, payload?: object): Promise<T>;
  checkOut(
    facts: { user_id: string },
    change?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{
    status: number;
    body: {
      url: string;
      session_id: string;
      trial_days: number;
      currency?: string;
      detail?: string;
    };
  }>;
  pay(sessionId: string, card?: string): Promise<void>;
  subscribe(facts?: Partial<SignupFacts>, card?: string): Promise<SignupFacts>;
  settle(): Promise<void>;
  /** Finds lost webhooks, and compares with the provider if a night has passed. */
  repair(): Promise<void>;
  advance(hours: number, stopEveryHours?: number): Promise<void>;
  faults(change: Record<string, unknown>): Promise<void>;
  /** Removes everyone, here and at the provider, so moving the clock doesn't renew the plans of earlier tests. */
  reset(): Promise<void>;
  states(userId: string): Promise<SubscriptionState[]>;
  state(userId: string): Promise<SubscriptionState | undefined>;
  mails(email: string): Promise<{ subject: string; text: string; html: string }[]>;
  stop(): Promise<void>;
}

/** The service with its own database and sandbox, without NATS. */
export async function startBilling(
  options: {
    clockStart?: string;
    environment?: Record<string, string>;
    /** Whether lost webhooks are found, and copies compared with the provider, as time passes. */
    repairs?: boolean;
  } = {},
): Promise<TestBilling> {
  const database = await createTestDatabase({
    schema: 'billing',
    folder: join(import.meta.dirname, '../migrations'),
  });
  const [port = 0] = await chooseFreePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({
    webhookUrl: `${url}/webhooks/stripe`,
    clockStart: options.clockStart ?? '2027-03-06T00:00:00Z',
  });
  const stopping = new AbortController();
  const clock = await connectSandboxClock(sandbox.url, stopping.signal);
  const log = createLogger('billing', 'silent');
  const db = createDatabase<BillingDatabase>({
    url: database.url,
    name: 'billing-test',
    onError: () => undefined,
  });
  const config = loadBillingConfig({
    PORT: String(port),
    DATABASE_URL: database.url,
    NATS_URL: 'nats://unused.test',
    IDENTITY_PUBLIC_KEYS: testPublicKeys,
    IDENTITY_PRIVATE_KEY: testIdentityKey('billing').privateKey,
    SANDBOX_URL: sandbox.url,
    STRIPE_API_KEY: stripeKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    ACCOUNTS_URL: 'http://accounts.test',
    PUBLIC_URL: origin,
    ALLOWED_ORIGINS: `${origin},http://other.test`,
    PRODUCT_NAME: 'Daylift',
    SUPPORT_EMAIL: 'support@daylift.test',
    COMPANY_NAME: 'Daylift Texts LLC',
    TERMS_EFFECTIVE_DATE: '2026-11-01',
    REFUND_POLICY: 'Write to us within 14 days of a charge.',
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    MAIL_FROM: 'hello@daylift.test',
    ...options.environment,
  });
  const signupsAtAccounts = new Map<string, SignupFacts>();
  const running: { loops?: ReturnType<typeof createLoops> } = {};
  const deps: BillingDeps = {
    ...createDeps(config, { db, clock, log, wake: (loop) => running.loops?.nudge(loop) }),
    accounts: {
      get: async <T>(path: string) =>
        (signupsAtAccounts.get(path.split('/').at(-1) ?? '') as T | undefined) ?? null,
    },
  };
  const app = await buildApp(deps, {
    logLevel: 'silent',
    identityPublicKeys: testPublicKeys,
    readiness: {},
  });
  const allLoops = billingLoops(deps, { config });
  const repairs = allLoops.filter(({ name }) => repairLoops.includes(name));
  const wanted = options.repairs ? allLoops : allLoops.filter((loop) => !repairs.includes(loop));
  const loops = createLoops(wanted, { clock, log });
  running.loops = loops;
  await app.listen({ port, host: '127.0.0.1' });
  const ops = createOpsServer(app);
  registerSettle(ops, clock, loops);
  const opsUrl = await ops.listen({ port: 0, host: '127.0.0.1' });
  loops.start();
  void followSandboxClock({
    sandboxUrl: sandbox.url,
    process: 'billing',
    settleUrl: `${opsUrl}/internal/settle`,
    clock,
    signal: stopping.signal,
  });

  const subscriptions = consumers(deps);
  const sign = signTestIdentity('billing');
  const schemas: Record<'accounts' | 'scheduler' | 'sms', EventTable> = {
    accounts: accountsEvents,
    scheduler: schedulerEvents,
    sms: smsEvents,
  };

  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
    and tablename not similar to 'kysely%|comparison|reconcile_state|lost_day_settings'`.execute(
    db,
  );
  const tables = rows.map(({ name }) => name);

  let contactVersion = 0;
  const test: TestBilling = {
    db,
    deps,
    app,
    url,
    sandbox,
    signupsAtAccounts,
    async signUp(change = {}) {
      const facts = { ...aSignup(clock.now()), ...change };
      await test.hear('accounts', 'accounts.user.registered', facts);
      return facts;
    },
    async prove({ user_id, name, email, email_hash, phone_hash }, change = {}) {
      contactVersion += 1;
      const addresses = { email, email_hash, email_proven: true, phone_hash, phone_proven: true };
      const contact = { user_id, version: contactVersion, name, ...addresses, ...change };
      await test.hear('accounts', 'accounts.contact.changed', contact);
    },
    async hear(owner, type, data, id = randomUUID()) {
      const found = subscriptions.find((one) => one.owner === owner && schemas[owner]);
      if (found === undefined) throw new Error(`no consumer of ${owner}`);
      const occurred_at = clock.now().toISOString();
      return handleEvent(db, found, { id, type, occurred_at, data }, clock.now());
    },
    as: (identity) => ({ [identityHeader]: sign(identity) }),
    asUser: (userId) => test.as({ kind: 'user', user_id: userId, session_version: 0 }),
    async callAsUser(userId, path, payload) {
      const response = await app.inject({
        method: payload ? 'POST' : 'GET',
        url: `/users/me/${path}`,
        headers: test.asUser(userId),
        ...(payload && { payload }),
      });
      return response.json();
    },
    async checkOut(facts, change = {}, headers = {}) {
      const response = await app.inject({
        method: 'POST',
        url: '/payments/create-checkout',
        headers,
        payload: {
          subscription_id: facts.user_id,
          plan: 'monthly',
          origin_url: origin,
          ...change,
        },
      });
      return { status: response.statusCode, body: response.json() };
    },
    async pay(sessionId, card = goodCard()) {
      await sandbox.call(`/sandbox/checkout/${sessionId}/complete`, { card });
    },
    async subscribe(change = {}, card) {
      const facts = await test.signUp(change);
      const { body } = await test.checkOut(facts, { plan: facts.plan });
      await test.pay(body.session_id, card);
      await test.settle();
      return facts;
    },
    async settle() {
      check(await sandbox.call<Advanced>('/sandbox/clock', { settle: true, cap_ms: 60_000 }));
    },
    async repair() {
      for (const loop of repairs) await loop.run?.();
      await test.settle();
    },
    async advance(hours, stopEveryHours = 168) {
      // Loops report when their next work is due, except retries, so empty hours need no stop.
      const journey = { advance_hours: hours, cap_ms: 60_000, stop_every_hours: stopEveryHours };
      check(await sandbox.call<Advanced>('/sandbox/clock', journey));
    },
    async faults(change) {
      await sandbox.call('/sandbox/faults', { reset: true, ...change });
    },
    async reset() {
      await test.faults({});
      await test.settle();
      await sandbox.call('/sandbox/reset', {});
      deps.prices.forget();
      signupsAtAccounts.clear();
      // A loop that runs meanwhile may hold one table and wait for another: let it finish.
      await eventually(() =>
        db.transaction().execute(async (trx) => {
          await sql`set local lock_timeout = '200ms'`.execute(trx);
          return sql`truncate ${sql.join(tables.map((name) => sql.table(name)))}`.execute(trx);
        }),
      );
    },
    async states(userId) {
      const events = await publishedEvents(db, 'billing.subscription.changed');
      return events
        .map((event) => event.data as SubscriptionState)
        .filter((state) => state.user_id === userId);
    },
    state: async (userId) => (await test.states(userId)).at(-1),
    mails: (email) => sandbox.call(`/sandbox/emails?to=${encodeURIComponent(email)}`),
    async stop() {
      stopping.abort();
      await loops.stop();
      await Promise.all([app.close(), ops.close()]);
      await db.destroy();
      await sandbox.stop();
      await database.drop();
    },
  };
  await test.repair();
  return test;
}

function check(advanced: Advanced): void {
  if (advanced.unsettled.length > 0)
    throw new Error(`did not come to rest: ${JSON.stringify(advanced.unsettled)}`);
}

function aSignup(now: Date): SignupFacts {
  const user_id = randomUUID();
  return {
    user_id,
    email: `${user_id}@people.test`,
    name: 'Ada Morning',
    plan: 'monthly',
    email_hash: `email-${user_id}`,
    phone_hash: `phone-${user_id}`,
    referrer_user_id: null,
    timezone: 'America/New_York',
    registered_at: now.toISOString(),
  };
}

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TravellingClock } from '@daylift/clock/clock';
import { connectSandboxClock } from '@daylift/clock/sandbox-clock';
import type { EventEnvelope } from '@daylift/contracts/event';
import type { TextSettled } from '@daylift/contracts/sms.events';
import { createDatabase } from '@daylift/database/create-database';
import { type Handled, handleEvent } from '@daylift/events/handle-event';
import type { Server } from '@daylift/server/create-server';
import { type Identity, identityHeader } from '@daylift/server/identity';
import { createLogger } from '@daylift/server/logger';
import { countryOf, createReadPhone } from '@daylift/server/phone-number';
import { eventually } from '@daylift/testing/eventually';
import { signTestIdentity, testPublicKeys } from '@daylift/testing/identity';
import { publishedEvents } from '@daylift/testing/published';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { createTestDatabase } from '@daylift/testing/test-database';
import type { LightMyRequestResponse } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import { buildApp } from '../src/app.ts';
import { consumers } from '../src/consumers.ts';
import type { SmsDatabase } from '../src/database.ts';
import type { SmsDeps } from '../src/deps.ts';
import { ensurePartitions } from '../src/loops.ts';
import { createNumberHash } from '../src/opt-outs/number-hash.ts';
import { createTelnyxWhenNeeded } from '../src/provider/telnyx-when-needed.ts';
import { createVerifyWebhook } from '../src/provider/verify-webhook.ts';
import { findDueIds } from '../src/queue/queue.repository.ts';
import { createRateLimiter } from '../src/rate/rate-limiter.ts';
import { createSenderCounts } from '../src/senders/sender-counts.ts';
import { createSenderLines } from '../src/senders/sender-lines.ts';
import { findSenders } from '../src/senders/senders.repository.ts';
import { createSpendLimit } from '../src/spend/spend-limit.ts';
import { createOutcomeWriter } from '../src/texts/outcome-writer.ts';
import { type SendResult, sendTexts } from '../src/texts/send-texts.ts';
import { keyOf } from '../src/texts/text-ids.ts';
import type { TextsTable } from '../src/texts/texts.table.ts';
import { smsFrom, startSandbox, type TestSandbox, telnyxKey, telnyxPublicKey } from './sandbox.ts';

export const oneTimeCodeKey = 'a-key-for-codes-in-tests-that-is-long-enough';
/** A Tuesday, ten in the morning in New York. */
export const testStart = '2027-03-09T15:00:00Z';
const sign = signTestIdentity('sms-gateway');

export type TextRow = Selectable<TextsTable>;

export interface Harness {
  deps: SmsDeps;
  db: Kysely<SmsDatabase>;
  databaseUrl: string;
  clock: TravellingClock;
  sandbox: TestSandbox;
  app: Server;
  /** URL for the provider; the gateway's path prefix is removed there. */
  publicUrl: string;
  receive(type: string, data: unknown, id?: string): Promise<Handled>;
  published<T>(type: string): Promise<T[]>;
  /** Sends one text, with other deps if given. */
  send(id: string, changes?: Partial<SmsDeps>): Promise<SendResult>;
  /** Returns the published outcomes of dispatches, oldest first. */
  settled(): Promise<TextSettled[]>;
  /** Sends everything that is due and returns how many. */
  sendAllDue(): Promise<number>;
  text(id: string): Promise<TextRow>;
  textsOf(userId: string): Promise<TextRow[]>;
  reaches(id: string, state: TextRow['state']): Promise<TextRow>;
  call(options: {
    method?: 'GET' | 'POST' | 'PUT';
    url: string;
    as?: Identity;
    body?: string | Buffer;
    headers?: Record<string, string>;
  }): Promise<LightMyRequestResponse>;
  moveTo(instant: Date): Promise<void>;
  close(): Promise<void>;
}

/** The service with its own database, with the sandbox as its provider and a server that the sandbox reaches. */
export async function createHarness(
  options: { ratePerSecond?: number; leaseMs?: number; timeoutMs?: number } = {},
): Promise<Harness> {
  const database = await createTestDatabase({
    schema: 'sms_gateway',
    folder: join(import.meta.dirname, '../migrations'),
  });
  const db = createDatabase<SmsDatabase>({
    url: database.url,
    name: 'sms-test',
    onError: () => undefined,
  });
  const door = createServer(async (request, response) => {
    try {
      const injected = await app.inject({
        method: 'POST',
        url: (request.url ?? '').replace(/^\/api/, ''),
        headers: request.headers,
        payload: await buffer(request),
      });
      response.writeHead(injected.statusCode).end(injected.body);
    } catch {
      // A late receipt, after the app was closed.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  const sandbox = await startSandbox({ publicUrl, clockStart: testStart });
  const stopping = new AbortController();
  const clock = await connectSandboxClock(sandbox.url, stopping.signal);
  const limiter = createRateLimiter({
    redisUrl: requiredUrl('TEST_REDIS_URL'),
    name: uniquePrefix(),
    maxOpen: 50,
    onError: () => undefined,
  });
  const accountLimits = [{ key: 'window', count: options.ratePerSecond ?? 1_000, perMs: 1_000 }];
  const log = createLogger('sms-test', 'silent');
  const numberHash = createNumberHash('a-key-for-tests-that-is-long-enough!');
  const deps: SmsDeps = {
    db,
    clock,
    log,
    limiter,
    accountLimits,
    seed: {
      number: smsFrom,
      type: 'toll_free',
      country: 'US',
      per_second: options.ratePerSecond ?? 1_000,
    },
    senderCounts: createSenderCounts({ db, clock, log }),
    senderLines: createSenderLines(),
    outcomes: createOutcomeWriter({ db, numberHash }),
    provider: createTelnyxWhenNeeded({
      apiKey: telnyxKey,
      baseUrl: `${sandbox.url}/v2`,
      receiptsUrl: `${publicUrl}/api/webhooks/telnyx`,
      timeoutMs: options.timeoutMs ?? 5_000,
    }),
    verifyWebhook: createVerifyWebhook(telnyxPublicKey),
    leaseMs: options.leaseMs ?? 30_000,
    numberHash,
    isIdempotent: false,
    oneTimeCodeKey,
    words: {
      productName: 'Daylift',
      supportEmail: 'support@daylift.example',
      publicUrl: 'https://daylift.example',
    },
    readPhone: async (input) => createReadPhone(['US', 'GB'])(input),
    servedCountry: async (number) => {
      try {
        return countryOf(createReadPhone(['US', 'GB'])(number));
      } catch {
        return null;
      }
    },
    spendCaps: {
      ...{ perNumberDay: 5, perPrefixHour: 1_000, perCountryHour: 1_000, perHour: 1_000 },
      dollarsPerCountryHour: 1_000,
      highCost: new Map(),
    },
    spendLimit: createSpendLimit({ clock, dollars: undefined, pricePerPart: '0.0040' }),
    adminUrl: 'https://daylift.example/admin/dashboard',
    operatorTimezone: 'America/New_York',
    settings: {
      SMS_BATCH_SIZE: 50,
      SMS_CANARY_ABOVE: 500,
      SMS_FROM: smsFrom,
      SANDBOX_URL: sandbox.url,
      SMS_PRICE_PER_PART: '0.0040',
      TELNYX_LOOKUP_PRICE: '0.003',
      SMS_RATE_PER_SECOND: options.ratePerSecond ?? 1_000,
    },
  };
  await ensurePartitions(deps);
  // Adds the first one.
  await findSenders(deps);
  // A limiter new to Redis waits a second.
  for (const slot of await limiter.take([accountLimits])) slot?.close();
  const app = await buildApp(deps, {
    identityPublicKeys: testPublicKeys,
    logLevel: 'silent',
    readiness: {},
  });
  await app.ready();
  const subscribed = consumers(deps);
  const text = (id: string) => {
    const key = keyOf(id);
    return db
      .selectFrom('texts')
      .selectAll()
      .where('id', '=', key.id)
      .where('local_date', '=', key.local_date)
      .executeTakeFirstOrThrow();
  };
  return {
    deps,
    db,
    databaseUrl: database.url,
    clock,
    sandbox,
    app,
    publicUrl,
    async receive(type, data, id = randomUUID()) {
      const one = subscribed.find(({ owner }) => type.startsWith(`${owner}.`));
      if (one === undefined) throw new Error(`no consumer of ${type}`);
      const event: EventEnvelope = { id, type, occurred_at: clock.now().toISOString(), data };
      return handleEvent(db, one, event, clock.now());
    },
    published: async <T>(type: string) =>
      (await publishedEvents(db, type)).map((event) => event.data as T),
    send: async (id, changes) => (await sendTexts({ ...deps, ...changes }, [id]))[0]!,
    settled: async () => {
      const events = await publishedEvents(db, 'sms.texts.settled');
      return events.flatMap(({ data }) => (data as { results: TextSettled[] }).results);
    },
    async sendAllDue() {
      let sent = 0;
      for (let idle = 0; idle < 20; ) {
        const ids = await findDueIds(db, clock.now(), 100);
        if (ids.length === 0) return sent;
        const results = await sendTexts(deps, ids);
        idle = results.every((one) => one === 'not_mine') ? idle + 1 : 0;
        sent += ids.length;
      }
      throw new Error('due texts stay in the queue: sending may be paused');
    },
    text,
    textsOf: (userId) =>
      db
        .selectFrom('texts')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute(),
    reaches: (id, state) =>
      eventually(
        async () => {
          const row = await text(id);
          if (row.state === state) return row;
          throw new Error(`it is ${row.state}`);
        },
        { what: `the state ${state}` },
      ),
    call: ({ method = 'GET', url, as, body, headers }) =>
      app.inject({
        method,
        url,
        headers: { ...headers, ...(as === undefined ? {} : { [identityHeader]: sign(as) }) },
        ...(body === undefined ? {} : { payload: body }),
      }),
    async moveTo(instant) {
      clock.adopt(await sandbox.advanceTo(instant));
    },
    async close() {
      stopping.abort();
      await app.close();
      await sandbox.stop();
      door.closeAllConnections();
      door.close();
      limiter.close();
      await db.destroy();
      await database.drop();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { consumerNames } from '@daylift/events/access';
import { type Bus, connectBus } from '@daylift/events/bus';
import { type Identity, identityHeader } from '@daylift/server/identity';
import { signTestIdentity, testIdentityKey, testPublicKeys } from '@daylift/testing/identity';
import { startSandboxProcess } from '@daylift/testing/sandbox';
import { type RunningProcess, startProcess } from '@daylift/testing/service-process';
import { createTestDatabase } from '@daylift/testing/test-database';
import pg from 'pg';
import { repoRoot } from '../../../local/layout.ts';
import { chooseFreePorts } from '../../../local/ports.ts';
import { ensureServicesBuilt } from '../../../local/services-build.ts';
import { startTestServers } from '../../../local/test-servers.ts';
import type { Currency } from './amounts.ts';
import { gateway, owner } from './people.ts';
import { type PromotionCode, promotionCodes, type Story } from './stories.ts';

const stripeKey = 'sk_test_money';
const webhookSecret = 'whsec_money';
export const origin = 'http://pages.test';

export type Revenue = Record<Currency, number>;

export interface ApiResponse {
  status: number;
  body: Record<string, unknown>;
}

/** Starts Postgres and NATS for several stacks after one another. */
export async function startMoneyServers(): Promise<{ stop(): Promise<void> }> {
  const { env, stop } = await startTestServers(() => undefined);
  Object.assign(process.env, env);
  return { stop };
}

export type MoneyStack = Awaited<ReturnType<typeof startMoneyStack>>;

/** Billing as in production, with the sandbox as its payment provider. The test takes the part of the other services. */
export async function startMoneyStack(clockStart: string, isTaxed = false) {
  const services = await ensureServicesBuilt();
  const database = await createTestDatabase({
    schema: 'billing',
    folder: join(repoRoot, 'services/billing/migrations'),
  });
  const [port = 0, accountsPort = 0] = await chooseFreePorts(2);
  /** What accounts knows of signups, perhaps before billing hears of them. */
  const signups = new Map<string, unknown>();
  const accounts = createServer((request, response) => {
    const found = signups.get(request.url?.split('/').at(-1) ?? '');
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { detail: 'Not found' }));
  }).listen(accountsPort, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const natsUrl = process.env.TEST_NATS_URL ?? '';
  const bus = await connectBus({ url: natsUrl, name: 'money' });
  await emptyStreams(bus);
  const sandbox = await startSandboxProcess(
    {
      CLOCK_START: clockStart,
      PUBLIC_URL: url,
      STRIPE_API_KEY: stripeKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_WEBHOOK_URL: `${url}/webhooks/stripe`,
      TELNYX_WEBHOOK_URL: `${url}/webhooks/telnyx/inbound`,
      SMS_FROM: '+13125550001',
    },
    services,
  );
  const start = () =>
    startProcess(
      'billing',
      {
        PORT: String(port),
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        NATS_URL: natsUrl,
        IDENTITY_PUBLIC_KEYS: testPublicKeys,
        IDENTITY_PRIVATE_KEY: testIdentityKey('billing').privateKey,
        SANDBOX_URL: sandbox.url,
        STRIPE_API_KEY: stripeKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        ACCOUNTS_URL: `http://127.0.0.1:${accountsPort}`,
        PUBLIC_URL: origin,
        ALLOWED_ORIGINS: origin,
        PRODUCT_NAME: 'Daylift',
        SUPPORT_EMAIL: 'support@daylift.test',
        COMPANY_NAME: 'Daylift Texts LLC',
        TERMS_EFFECTIVE_DATE: '2026-11-01',
        REFUND_POLICY: 'Write to us within 14 days of a charge.',
        SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
        MAIL_FROM: 'hello@daylift.test',
        OPERATOR_TIMEZONE: 'UTC',
        ALLOWED_COUNTRIES: 'US,GB',
        COUNTRY_CURRENCIES: 'GB:gbp',
        STRIPE_TAX: isTaxed ? 'on' : 'off',
      },
      services,
    );
  let billing: RunningProcess = await start();
  const db = new pg.Pool({ connectionString: database.url, max: 4 });
  const { offset_ms } = await sandbox.call<{ offset_ms: number }>('/sandbox/clock');
  let offsetMs = offset_ms;
  const sign = signTestIdentity('billing');
  const { rows: leases } = await db.query<{ table_name: string }>(
    "select table_name from information_schema.columns where column_name = 'claimed_until' and table_schema = 'billing'",
  );
  const leased = leases.map(({ table_name }) => table_name);
  const logs: string[] = [];
  /** By the id of the gift. */
  const gifts = new Map<string, { buyer: string; payment: string }>();
  const giftCodeFor = async (buyer: string): Promise<string | null> => {
    const emails = await sandbox.call<{ text: string }[]>(`/sandbox/emails?to=${buyer}`);
    return /\/redeem#(\S+)/.exec(emails[0]?.text ?? '')?.[1] ?? null;
  };
  /** When faults started and ended, in Unix milliseconds. A kill counts for an hour. */
  const faulty: { from: number; to: number }[] = [];

  const stack = {
    sandbox,
    signups,
    isTaxed,
    /** Billing's log lines, of earlier processes too. */
    logs: () => [...logs, ...billing.log()],
    now: () => new Date(Date.now() + offsetMs),
    /** Calls billing once. Status 0 means that no response arrived. */
    async call(identity: Identity | null, path: string, body?: unknown): Promise<ApiResponse> {
      try {
        const response = await fetch(`${url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...(identity !== null && { [identityHeader]: sign(identity) }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
      } catch {
        return { status: 0, body: {} };
      }
    },
    /** Calls billing as a patient client, until it responds with something else than an outage. */
    async callReliably(
      identity: Identity | null,
      path: string,
      body?: unknown,
    ): Promise<ApiResponse> {
      for (let tries = 1; ; tries += 1) {
        const response = await stack.call(identity, path, body);
        if ((response.status > 0 && response.status < 500) || tries === 100) return response;
        await delay(200);
      }
    },
    /** Calls the provider's API, past its faults. */
    async stripe<T>(path: string, form?: Record<string, string>): Promise<T> {
      const request = {
        headers: { authorization: `Bearer ${stripeKey}`, 'idempotency-key': randomUUID() },
        ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
      };
      for (let tries = 1; ; tries += 1) {
        const response = await fetch(`${sandbox.url}${path}`, request).catch(() => null);
        if (response?.ok) return (await response.json()) as T;
        if (tries === 100)
          throw new Error(`${path}: ${response?.status} ${await response?.text()}`);
        await delay(20);
      }
    },
    async list<T extends { id: string }>(path: string): Promise<T[]> {
      const found: T[] = [];
      for (let after = ''; ; ) {
        const join = path.includes('?') ? '&' : '?';
        const page = await stack.stripe<{ data: T[]; has_more: boolean }>(
          `${path}${join}limit=100${after}`,
        );
        found.push(...page.data);
        if (!page.has_more) return found;
        after = `&starting_after=${page.data.at(-1)?.id}`;
      }
    },
    /** Returns revenue in cents, as billing counts it and as the provider's ledger has it. */
    async revenue(): Promise<{ billing: Revenue; ledger: Revenue }> {
      const { body } = await stack.callReliably(gateway, '/internal/analytics/billing');
      const { total_cents, others = [] } = body.revenue as {
        total_cents: number;
        others?: { currency: string; total_cents: number }[];
      };
      const centsIn = (wanted: string) =>
        others.find(({ currency }) => currency === wanted)?.total_cents ?? 0;
      const entries = await stack.list<{ id: string; amount: number; currency: Currency }>(
        '/v1/balance_transactions',
      );
      const ledger: Revenue = { usd: 0, gbp: 0 };
      for (const { amount, currency } of entries) ledger[currency] += amount;
      return { billing: { usd: total_cents, gbp: centsIn('gbp') }, ledger };
    },
    async createPromotions(): Promise<void> {
      for (const [name, terms] of Object.entries(promotionCodes))
        for (const currency of ['usd', 'gbp'] as const) {
          const [kind, value] = kindOf(terms);
          const { status, body } = await stack.callReliably(owner(), '/admin/promotions', {
            ...{ kind, value, months: 'months' in terms ? terms.months : 1, currency },
            ...{ code: codeIn(currency, name), plan: null, max_uses: null, expires_on: null },
            ...{ first_time_only: false, request_key: randomUUID() },
          });
          if (status !== 200) throw new Error(JSON.stringify(body));
        }
    },
    /** Buys a gift. */
    async buyGift(months: number, { currency, place }: Pick<Story, 'currency' | 'place'>) {
      const buyer = `${randomUUID()}@buyers.test`;
      const { body } = await stack.callReliably(null, '/gifts/checkout', {
        ...{ months, currency, buyer_email: buyer, buyer_name: 'Grace', origin_url: origin },
      });
      const session = body.session_id as string;
      const card = newCard('good');
      await sandbox.call(`/sandbox/checkout/${session}/complete`, { card, place });
      await stack.callReliably(null, `/payments/status/${session}`);
      const paid = await stack.stripe<GiftPayment>(`/v1/checkout/sessions/${session}`);
      gifts.set(paid.metadata.gift_id, { buyer, payment: paid.payment_intent });
      return paid;
    },
    /** Returns the code of a gift's link, or null if a fault delays the email. */
    async codeOfGift(id: string): Promise<string | null> {
      for (let tries = 1; ; tries += 1) {
        const code = await giftCodeFor(gifts.get(id)?.buyer ?? '');
        if (code !== null || tries === 300) return code;
        await delay(100);
      }
    },
    /** Returns what billing stores of a gift, in seconds. */
    async giftRow(id: string): Promise<GiftRow> {
      const [row] = await stack.query<GiftRow>(
        `select extract(epoch from starts_at)::float as "from",
           extract(epoch from ends_at)::float as until, taken_back_ms::float / 1000 as taken
         from gifts where id = $1`,
        [id],
      );
      return row!;
    },
    paymentOfGift: (id: string): string => gifts.get(id)?.payment ?? '',
    /** Refunds a payment, as an operator does at the provider. */
    async refund(payment: string, amount: number): Promise<void> {
      await stack.stripe('/v1/refunds', { payment_intent: payment, amount: String(amount) });
    },
    /** Returns buyers who paid for a gift and got no link. */
    async giftsWithoutEmail(): Promise<string[]> {
      const buyers = [...gifts.values()].map(({ buyer }) => buyer);
      const codes = await Promise.all(buyers.map(giftCodeFor));
      return buyers.filter((_, index) => codes[index] === null);
    },
    /** Saves a card on the provider's page. Returns the status of the response. */
    async saveCard(page: string, number: string): Promise<number> {
      const form = { card_number: number, expiry: '11/68', cvc: '123', name: 'Ada' };
      const saved = await fetch(`${sandbox.url}${new URL(page).pathname}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ action: 'update_card', ...form }),
      });
      return saved.status;
    },
    async publish(type: string, data: unknown, copies = 1): Promise<void> {
      const id = randomUUID();
      const payload = JSON.stringify({ id, type, occurred_at: stack.now().toISOString(), data });
      // Another message id gets past the server's own check for duplicates.
      for (let copy = 0; copy < copies; copy += 1)
        await bus.send({ id, type, payload }, `${id}:${copy}`);
    },
    /** Returns the newest state of each subscription, as other services know it. */
    async published(): Promise<Map<string, Published>> {
      const states = new Map<string, Published>();
      const type = 'billing.subscription.changed';
      const consumer = await bus.js.consumers.get(bus.streamOf('billing'), {
        filter_subjects: bus.subjectOf(type),
      });
      const { num_pending } = await consumer.info();
      if (num_pending === 0) return states;
      for await (const message of await consumer.consume()) {
        const { data } = message.json<{ data: Published }>();
        const known = states.get(data.user_id);
        if (known === undefined || known.version < data.version) states.set(data.user_id, data);
        if (message.info.pending === 0) break;
      }
      return states;
    },
    async faults(change: Record<string, unknown>): Promise<void> {
      const now = stack.now().getTime();
      for (const one of faulty) one.to = Math.min(one.to, now);
      if (Object.keys(change).length > 0) faulty.push({ from: now, to: Number.POSITIVE_INFINITY });
      await sandbox.call('/sandbox/faults', { reset: true, ...change });
    },
    /** Returns whether there was a fault at an instant, now by default. */
    isFaulty: (at = stack.now().getTime()) => faulty.some(({ from, to }) => from <= at && at <= to),
    async travel(how: Record<string, unknown>): Promise<void> {
      const { unsettled } = await sandbox.call<{ unsettled: unknown[] }>('/sandbox/clock', {
        cap_ms: 120_000,
        ...how,
      });
      if (unsettled.length > 0) throw new Error(`did not settle: ${JSON.stringify(unsettled)}`);
      ({ offset_ms: offsetMs } = await sandbox.call<{ offset_ms: number }>('/sandbox/clock'));
    },
    settle: () => stack.travel({ settle: true }),
    /** Kills billing and restarts it. */
    async kill(): Promise<void> {
      const now = stack.now().getTime();
      faulty.push({ from: now, to: now + 3_600_000 });
      await billing.stop('SIGKILL');
      logs.push(...billing.log());
      // Otherwise the next process waits a minute for what this one had claimed.
      for (const table of leased)
        await stack.query(`update ${table} set claimed_until = now() where claimed_until > now()`);
      billing = await start();
    },
    query: async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await db.query<T>(text, values)).rows,
    async stop(): Promise<void> {
      await billing.stop('SIGKILL');
      await sandbox.stop();
      accounts.closeAllConnections();
      accounts.close();
      await db.end();
      await emptyStreams(bus);
      await bus.close();
      await database.drop();
    },
  };
  await stack.settle();
  return stack;
}

interface GiftPayment {
  amount_total: number;
  currency: string;
  payment_intent: string;
  metadata: { gift_id: string };
}

interface GiftRow {
  from: number | null;
  until: number | null;
  taken: number | null;
}

export interface Published {
  user_id: string;
  version: number;
  status: string;
  plan: string;
  entitled: boolean;
  entitled_until: string | null;
  cancel_at_period_end: boolean;
  current_period_end: string | null;
}

/** Creates the streams without the events of an earlier stack. */
async function emptyStreams(bus: Bus): Promise<void> {
  for (const owner of ['accounts', 'scheduler', 'sms', 'billing'] as const) {
    await bus.jsm.streams.delete(bus.streamOf(owner)).catch(() => undefined);
    if (owner === 'billing') continue;
    await bus.ensureStream(owner);
    // A killed process holds its events that long.
    for (const name of consumerNames(owner, 'billing'))
      await bus.jsm.consumers.update(bus.streamOf(owner), name, { ack_wait: 2e9 });
  }
}

/** Returns the name of a promotion code in a currency. */
export const codeIn = (currency: Currency, name: string): string =>
  `${name}-${currency}`.toUpperCase();

function kindOf(terms: (typeof promotionCodes)[PromotionCode]): [string, number] {
  if ('freeDays' in terms) return ['free_days', terms.freeDays];
  return 'percent' in terms ? ['percent', terms.percent] : ['amount', terms.cents];
}

let cards = 0;
/** Returns the number of a card of that kind which no one else has. */
export function newCard(kind: 'good' | 'failing' | 'confirmed'): string {
  cards += 1;
  const prefix = { good: '424242', failing: '400000341', confirmed: '400000276' }[kind];
  const digits = `${prefix}${String(cards).padStart(15 - prefix.length, '0')}`;
  const sum = [...digits].reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

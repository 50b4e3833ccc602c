import { hourMs, minuteMs } from '@daylift/clock/durations';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AcceptedText, ApiResponse, ProductClient, Signup } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { inParallel, password } from './run-simulation.ts';

const signups = Number(process.env.ABUSE_SIGNUPS ?? 10_000);
const perAddress = 5;
/** Bots with a stolen card, who get past the checkout; without one, no number is texted. */
const cards = Math.min(signups / 2, 400);
/** Small enough for a short run to reach them. */
const caps = { number: 5, prefix: 2, country: 8, all: 20 };
/** As in the gateway. */
const blockLimits = { signup: 50, code: 100 };

interface Bot {
  form: Signup;
  address: string;
  block: string;
  served: boolean;
}

/**
 * Countries and how their numbers start, without the last four digits. Numbers of `none` aren't served. Their number is
 * odd, so every range has bots with and without consent.
 */
const ranges: [string, string][] = [
  // Area codes that exist: others count as their own country.
  ...Array.from({ length: 10 }, (_unused, index): [string, string] => [
    'US',
    `+1${312 + index}556`,
  ]),
  ...(['+1416555', '+1604556', '+1514557'] as const).map((one): [string, string] => ['CA', one]),
  ...(['+44740012', '+44740013', '+44750014'] as const).map((one): [string, string] => ['GB', one]),
  ['DE', '+491511234'],
  ['DE', '+491521234'],
  ['FR', '+3361234'],
  ['AU', '+6141234'],
  ['JP', '+81901234'],
  ['none', '+1876555'],
  ['none', '+234801234'],
  ['none', '+44778101'],
  ['none', '+88161234'],
];

function createBot(index: number): Bot {
  const [country = '', prefix = ''] = ranges[index % ranges.length] ?? [];
  const host = Math.floor(index / perAddress);
  // Of five addresses four are IPv4, twenty in each /24, and one is IPv6, ten in each /48.
  const isV6 = host % 5 === 4;
  const group = Math.floor(host / (isV6 ? 50 : 25));
  const address = isV6 ? `2001:db8:${group}:${host}::1` : `198.18.${group}.${(host % 25) + 1}`;
  return {
    address,
    block: isV6 ? `2001:db8:${group}` : `198.18.${group}`,
    served: country !== 'none',
    form: {
      name: `Bot ${index}`,
      email: `bot-${index}@example.com`,
      phone: `${prefix}${String(1_000 + (Math.floor(index / ranges.length) % 9_000))}`,
      password,
      timezone: 'America/New_York',
      delivery_time: '23:00',
      // A consent request is the text that strangers can cause most easily.
      sms_consent: index % 2 === 0,
    },
  };
}

describe(`${signups} signups and code requests of bots, among them a person`, () => {
  let running: TestStack;
  let product: ProductClient;
  let texts: AcceptedText[];
  const bots = Array.from({ length: signups }, (_unused, index) => createBot(index));
  const blockOf = new Map(bots.map(({ address, block }) => [address, block]));
  /** Successful calls by path and block. */
  const allowed = new Map<string, number>();
  /** Paths of rate-limited calls. */
  const limited = new Set<string>();
  let honest: { welcomedMs: number; codes: AcceptedText[]; mails: string[] };

  async function call<T = { id: string; session_id: string; access_token: string }>(
    address: string,
    path: string,
    body: object,
    token?: string,
  ): Promise<ApiResponse<T>> {
    const response = await fetch(`${product.urls.gateway}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const key = `${path} ${blockOf.get(address)}`;
    if (response.ok) allowed.set(key, (allowed.get(key) ?? 0) + 1);
    if (response.status === 429) limited.add(path);
    return { status: response.status, body: (await response.json()) as T };
  }

  /** Returns the status of the first call that failed, or 200. */
  async function joinAs(person: Signup, address: string): Promise<number> {
    const origin_url = product.urls.gateway;
    const { status, body } = await call(address, '/subscriptions', person);
    if (status !== 201) return status;
    const checkout = { subscription_id: body.id, plan: 'monthly', origin_url };
    const session = await call(address, '/payments/create-checkout', checkout);
    if (session.status >= 300) return session.status;
    await product.pay(session.body.session_id);
    return 200;
  }
  const requestCode = (phone: string, address: string, more: object = {}) =>
    call(address, '/users/set-password', {
      ...{ email_or_phone: phone, password: 'another password', ...more },
    });

  async function attack(some: Bot[]): Promise<void> {
    let started = 0;
    await inParallel(some, 12, async ({ address, form }) => {
      started += 1;
      if (started <= cards / 4) await joinAs(form, address);
      else await call(address, '/subscriptions', form);
      await requestCode(form.phone, address);
    });
  }

  /** Signs up, and recovers the password as soon as the email is confirmed. */
  async function live(): Promise<typeof honest> {
    const [phone, email, address] = ['+12065550143', 'ada@example.com', '203.0.113.7'];
    const started = Date.now();
    const person = { ...bots[0]!.form, name: 'Ada', phone, email, sms_consent: true };
    expect(await joinAs(person, address)).toBe(200);
    await eventually(async () => (await product.texts(phone)).length > 0, { within: 30_000 });
    const welcomedMs = Date.now() - started;
    await product.confirmEmail(email);
    expect((await requestCode(phone, address)).status).toBe(202);
    const mails = async () =>
      (
        await product.sandbox<{ text: string }[]>(
          'GET',
          `/sandbox/emails?to=${encodeURIComponent(email)}`,
        )
      ).body.flatMap(({ text }) => / is ([0-9]{6})\b/.exec(text)?.[1] ?? []);
    await eventually(async () => (await mails()).length > 0, { within: 30_000 });
    const [code] = await mails();
    expect((await requestCode(phone, address, { code })).status).toBe(200);
    const login = { login: email, password: 'another password' };
    expect((await call(address, '/users/login', login)).status).toBe(200);
    return { welcomedMs, codes: await product.texts(phone), mails: await mails() };
  }

  beforeAll(async () => {
    running = await startTestStack({
      CLOCK_START: '2027-04-06T14:05:00Z',
      RATE_LIMITS: 'on',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      SMS_UNPAID_PER_PREFIX_HOUR: String(caps.prefix),
      SMS_UNPAID_PER_COUNTRY_HOUR: String(caps.country),
      SMS_UNPAID_PER_HOUR: String(caps.all),
    });
    product = running.product;
    const part = Math.ceil(bots.length / 4);
    for (let round = 0; round < 4; round += 1) {
      const some = bots.slice(round * part, (round + 1) * part);
      const person = round === 2 ? live() : null;
      await attack(some);
      if (person !== null) honest = await person;
    }
    // A second request for each number, when the waiting minute is over.
    await product.advanceTo(new Date((await product.now()).getTime() + 2 * minuteMs));
    await inParallel(bots.slice(0, cards), 12, async ({ form, address }) => {
      await requestCode(form.phone, address);
    });
    await product.settle();
    texts = await product.texts();
  }, 3_600_000);
  afterAll(() => running?.stop());

  /** Texts that strangers caused; a welcome follows a checkout. */
  const pumped = () =>
    texts.filter(({ to, text }) => to !== '+12065550143' && !text.includes('Welcome'));
  const most = (keyOf: (text: AcceptedText) => string) =>
    Math.max(
      0,
      ...[
        ...Map.groupBy(
          pumped(),
          (text) => `${keyOf(text)} ${Math.floor(Date.parse(text.accepted_at) / hourMs)}`,
        ).values(),
      ].map(({ length }) => length),
    );

  test('no /24 or /48 signs up or requests codes more often than its limit', () => {
    const mostOf = (path: string) =>
      Math.max(...[...allowed].map(([key, times]) => (key.startsWith(path) ? times : 0)));
    // Signups with a number that isn't served count toward the limit too.
    expect(mostOf('/subscriptions ')).toBeLessThanOrEqual(blockLimits.signup);
    expect(mostOf('/users/set-password ')).toBe(blockLimits.code);
    expect([...limited]).toEqual(expect.arrayContaining(['/subscriptions', '/users/set-password']));
  });

  test('texts to numbers without an active, confirmed subscriber reach no more than the caps', () => {
    expect(most(() => 'all')).toBe(caps.all);
    expect(most(({ to }) => to.slice(0, -4))).toBe(caps.prefix);
    expect(most(({ to }) => ranges.find(([, prefix]) => to.startsWith(prefix))?.[0] ?? to)).toBe(
      caps.country,
    );
    const byNumber = Map.groupBy(pumped(), ({ to }) => to);
    for (const [to, sent] of byNumber) {
      const times = sent.map(({ accepted_at }) => Date.parse(accepted_at)).sort();
      expect(sent.length, to).toBeLessThanOrEqual(caps.number);
      for (const [index, at] of times.slice(1).entries())
        expect(at - (times[index] ?? 0), to).toBeGreaterThanOrEqual(minuteMs);
    }
  });

  test('no number outside the served countries gets a text', () => {
    const refused = new Set(bots.filter(({ served }) => !served).map(({ form }) => form.phone));
    expect(refused.size).toBeGreaterThan(0);
    expect(texts.filter(({ to }) => refused.has(to))).toEqual([]);
  });

  test('during the flood a person signs up, is welcomed within seconds, and recovers the password', () => {
    expect(honest.welcomedMs).toBeLessThan(30_000);
    expect(honest.mails).toHaveLength(1);
  });
});

import { hourMs, minuteMs, secondMs } from '@daylift/clock/durations';
import type { ForecastSenderHour } from '@daylift/contracts/forecast.http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadSecrets } from '../../local/secrets.ts';
import { fillDatabase } from '../../local/seed/fill-database.ts';
import type { AcceptedText } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { computeForecast } from './forecast.ts';

const start = new Date('2027-04-05T17:20:00Z');
/** When all subscribers get their first text. */
const hour = new Date('2027-04-06T17:00:00Z');
const subscribers = 1_200;
/** Limits per second, and percent of the subscribers. The senders take about 60, 70 and 80 seconds. */
const pool = [
  { number: '+18885550123', per_second: 10, percent: 54 },
  { number: '+18885550124', per_second: 5, percent: 32 },
  { number: '+18885550125', per_second: 2, percent: 14 },
];

let running: TestStack;
let forecast: ForecastSenderHour[];
let instants: Map<string, number[]>;

beforeAll(async () => {
  running = await startTestStack({
    CLOCK_START: start.toISOString(),
    SEND_SPREAD_SECONDS: '0',
    SMS_CANARY_ABOVE: '0',
  });
  const { product, stack } = running;
  await fillDatabase({
    databaseAdminUrl: stack.databaseAdminUrl,
    secrets: loadSecrets(stack.layout.secrets, {}),
    size: { subscribers, texts: 0, due: subscribers },
    // The due hour is two hours later.
    now: new Date(hour.getTime() - 2 * hourMs),
    print: () => undefined,
  });
  const admin = await product.adminLogin(stack.adminCredentials);
  await limitSenders(admin);
  await assignSenders();

  const { hours } = await computeForecast(product, admin, start);
  forecast = hours.find(({ starts_at }) => starts_at === hour.toISOString())?.senders ?? [];
  await product.advanceTo(new Date(hour.getTime() - minuteMs), 24);
  await product.advanceTo(hour, 1, 100);
  instants = await acceptedInHour(forecast.reduce((sum, { texts }) => sum + texts, 0));
}, 300_000);
afterAll(() => running?.stop());

async function limitSenders(admin: string): Promise<void> {
  const { product } = running;
  const call = async (method: string, path: string, body?: unknown) =>
    expect(await product.api(method, path, body, admin)).toMatchObject({ status: 200 });
  // Reading the list adds the configured sender.
  await call('GET', '/admin/senders');
  const [first, ...others] = pool;
  const path = `/admin/senders/${encodeURIComponent(first!.number)}`;
  await call('PUT', path, { per_second: first!.per_second });
  for (const { number, per_second } of others)
    await call('POST', '/admin/senders', { number, type: 'toll_free', country: 'US', per_second });
}

async function assignSenders(): Promise<void> {
  const parts = pool.flatMap(({ number, percent }) => new Array<string>(percent).fill(number));
  await queryDatabase(
    running.stack,
    `update sms_gateway.recipients set sender = ($1::text[])[1 + right(phone, 7)::int % $2]`,
    [parts, parts.length],
  );
}

/** Returns when the provider accepted each sender's texts, in milliseconds after the hour's start. */
async function acceptedInHour(expected: number): Promise<Map<string, number[]>> {
  const path = `/sandbox/messages?since=${hour.toISOString()}`;
  const read = async () => (await running.product.sandbox<AcceptedText[]>('GET', path)).body;
  const polling = { timeout: 3 * minuteMs, interval: 500 };
  await vi.waitUntil(async () => (await read()).length >= expected, polling);
  await running.product.settle();
  const bySender = Map.groupBy(await read(), ({ from }) => from);
  return new Map(
    [...bySender].map(([number, texts]) => [
      number,
      texts.map(({ accepted_at }) => Date.parse(accepted_at) - hour.getTime()),
    ]),
  );
}

test("the previous day's forecast matches the number of texts from each of three senders", () => {
  const texts = (number: string) => forecast.find((one) => one.number === number)?.texts;
  expect(pool.map(({ number }) => instants.get(number)?.length)).toEqual(
    pool.map(({ number }) => texts(number)),
  );
  expect(forecast.map(({ late, missed }) => late + missed)).toEqual([0, 0, 0]);
});

test('the time that each sender takes is within 5 % of the forecast', () => {
  const times = forecast.map(({ number, drain_seconds }) => ({
    number,
    drain_seconds,
    seen: Math.max(...(instants.get(number ?? '') ?? [])) / secondMs,
  }));
  console.log(JSON.stringify(times));
  expect(Math.min(...times.map(({ drain_seconds }) => drain_seconds))).toBeGreaterThan(50);
  expect(
    times.filter(({ drain_seconds, seen }) => Math.abs(seen / drain_seconds - 1) > 0.05),
  ).toEqual([]);
});

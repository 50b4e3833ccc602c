import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../../local/secrets.ts';
import { fillDatabase } from '../../local/seed/fill-database.ts';
import type { ProductClient } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';
import { chart } from '../second-replica.ts';
import { startLoad } from './load.ts';
import { type ReplicatedStack, sendPipeline, startReplicatedStack } from './replicated-stack.ts';
import { type Callers, requestsPerKind } from './requests.ts';

/** Of these, slightly more than `batch` are eligible. */
const people = 6_200;
const batch = 5_000;
const requestsPerSecond = 200;
/** Enough for each change to complete before the next of the same subscriber. */
const readers = 40;

let running: ReplicatedStack;
let product: ProductClient;
let callers: Callers;

beforeAll(async () => {
  running = await startReplicatedStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    // A text costs as much CPU as a dozen requests: the batch outlasts the restarts and leaves room for them.
    SMS_RATE_PER_SECOND: '10',
  });
  ({ product } = running);
  callers = {
    owner: await product.adminLogin(running.stack.adminCredentials),
    readers: await Promise.all(Array.from({ length: readers }, (_, index) => aReader(index))),
  };
  await product.settle();
  await fillDatabase({
    databaseAdminUrl: running.stack.databaseAdminUrl,
    secrets: loadSecrets(running.stack.layout.secrets, {}),
    size: { subscribers: people, texts: 0, due: people },
    now: await product.now(),
    print: () => undefined,
  });
}, 600_000);
afterAll(() => running?.stop());

/** Creates a signed-in subscriber without a text in the batch's hour. */
async function aReader(index: number): Promise<string> {
  const login = `reader${index}@example.com`;
  const password = 'good morning';
  const id = await product.signUp({
    name: 'Ada Morning',
    email: login,
    phone: `+1415555${1_000 + index}`,
    password,
    timezone: 'America/New_York',
    delivery_time: '22:00',
    sms_consent: true,
  });
  await product.pay(await product.openCheckout(id));
  return product.login(login, password);
}

test('replacing every replica of every workload fails none of 200 requests per second, and sends each recipient of a running batch of 5,000 one text', async () => {
  const due = await readPhones();
  expect(due.length).toBeGreaterThanOrEqual(batch);
  // Moves the clock without waiting: loops run at their own intervals, as without a sandbox.
  const journey = { advance_to: '2027-04-05T17:00:00Z', cap_ms: 1_000 };
  expect((await product.sandbox('POST', '/sandbox/clock', journey)).status).toBe(200);
  // Only sending is left: releasing a whole batch uses all of the CPU.
  await expect.poll(countTexts, { timeout: 200_000 }).toBe(due.length);

  const load = startLoad({ url: product.urls.gateway, perSecond: requestsPerSecond, callers });
  const restarted: { name: string; ends: string[]; accepted: number }[] = [];
  for (const { name, restart } of running.workloads)
    restarted.push({ name, ends: await restart(), accepted: await countAccepted() });
  const report = await load.stop();
  console.info(JSON.stringify({ ...report, failures: report.failures.length, restarted }));

  expect(report.failures).toEqual([]);
  expect(report.perSecond).toBeGreaterThan(requestsPerSecond * 0.98);
  expect(restarted.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(chart.workloads)
      .filter((name) => name !== 'sandbox')
      .toSorted(),
  );
  const clean = ['exit code 0', 'exit code 0'];
  expect(restarted.filter(({ ends }) => ends.join() !== clean.join())).toEqual([]);
  // The batch was in progress while the pipeline's processes were replaced.
  expect(restarted[sendPipeline.length - 1]?.accepted).toBeLessThan(due.length);
  await expect.poll(countAccepted, { timeout: 700_000, interval: 2_000 }).toBe(due.length);
  await product.settle();
  expect(await countedWrong(due)).toEqual([]);
  expect(await countWritten()).toBe(requestsPerKind(report.requests));
}, 1_200_000);

async function readPhones(): Promise<string[]> {
  const rows = await queryDatabase<{ phone: string }>(
    running.stack,
    `select phone from accounts.users where phone like '+1555%'
       and is_active and delivery_enabled and consent = 'granted' and not opted_out
       and subscription_status in ('trial', 'active', 'past_due')`,
  );
  return rows.map(({ phone }) => phone);
}

const countRows = async (from: string): Promise<number> => {
  const [row] = await queryDatabase<{ count: number }>(
    running.stack,
    `select count(*)::int as count from ${from}`,
  );
  return row?.count ?? 0;
};
const countWritten = () => countRows(`content.scheduled_messages where title like 'Written %'`);
const countTexts = () => countRows(`sms_gateway.texts where kind = 'daily'`);
/** Counts accepted texts of the batch in our database, because the provider's log is long. */
const countAccepted = () =>
  countRows(
    `sms_gateway.texts where kind = 'daily' and state in ('accepted', 'sent', 'delivered')`,
  );

/** Returns phones that got no text or several, and those that should have got none. */
async function countedWrong(due: string[]): Promise<[string, number][]> {
  const counts = new Map(due.map((phone) => [phone, 0]));
  for (const { to } of await product.texts())
    if (to.startsWith('+1555')) counts.set(to, (counts.get(to) ?? 1) + 1);
  return [...counts].filter(([, count]) => count !== 1);
}

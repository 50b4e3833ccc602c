import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../../local/secrets.ts';
import { fillDatabase } from '../../local/seed/fill-database.ts';
import type { ProductClient } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';
import { chart } from '../second-replica.ts';
import { type LoadRequest, startLoad } from './load-driver.ts';
import { type ReplicatedStack, roadOfTexts, startReplicatedStack } from './replicated-stack.ts';

/** Of so many made-up people a little more than `batch` may receive. */
const people = 6_200;
const batch = 5_000;
const requestsPerSecond = 200;
const dayMs = 24 * 60 * 60 * 1000;

let running: ReplicatedStack;
let product: ProductClient;
let owner: string;
let reader: string;

beforeAll(async () => {
  running = await startReplicatedStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    // A text takes as much of the machine as a dozen requests: the batch outlasts the restarts, and leaves room for both.
    SMS_RATE_PER_SECOND: '25',
  });
  ({ product } = running);
  owner = await product.adminLogin(running.stack.adminCredentials);
  reader = await aReader();
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

/** Somebody who is signed in, and gets no text in the hour of the batch. */
async function aReader(): Promise<string> {
  const login = 'reader@example.com';
  const password = 'good morning';
  const id = await product.signUp({
    name: 'Ada Morning',
    email: login,
    phone: '+14155550123',
    password,
    timezone: 'America/New_York',
    delivery_time: '22:00',
    sms_consent: true,
  });
  await product.pay(await product.openCheckout(id));
  return product.login(login, password);
}

type MakeRequest = (index: number) => LoadRequest;
const reads = (start: string, paths: string[], token?: () => string): MakeRequest[] =>
  paths.map((path) => () => ({
    method: 'GET',
    path: start + path,
    ...(token && { token: token() }),
  }));

/** What people and operators do all day, in turn; each date takes one message, so that none is written twice in silence. */
const requests: MakeRequest[] = [
  ...reads('/', ['', 'api/plans', 'api/plans', 'api/plans', 'api/faqs', 'api/faqs']),
  ...reads('/api/users/me', ['', '', '', '/sms-history', '/sms-history'], () => reader),
  ...reads('/api/users/me', ['/next-text', '/subscription'], () => reader),
  ...reads('/api/admin/', ['users?limit=10', 'freeze', 'templates', 'me', 'me'], () => owner),
  (index) => ({
    method: 'PUT',
    path: '/api/users/me',
    token: reader,
    body: { delivery_time: index % 2 === 0 ? '21:00' : '22:00' },
  }),
  (index) => ({
    method: 'POST',
    path: '/api/admin/scheduled-messages',
    token: owner,
    body: {
      title: `Written ${index}`,
      content: 'A kind word',
      scheduled_date: new Date(Date.UTC(2028, 0, 1) + index * dayMs).toISOString().slice(0, 10),
    },
  }),
];
test('replacing every replica of every workload fails no request of 200 a second, and sends everybody of a running batch of 5,000 one text', async () => {
  const due = await readPhones();
  expect(due.length).toBeGreaterThanOrEqual(batch);
  // Moves the clock and waits no longer: the loops do the work on their own beats, as they do without a sandbox.
  const journey = { advance_to: '2027-04-05T17:00:00Z', cap_ms: 1_000 };
  expect((await product.sandbox('POST', '/sandbox/clock', journey)).status).toBe(200);
  await expect.poll(countAccepted, { timeout: 60_000 }).toBeGreaterThan(0);

  const load = startLoad({
    url: product.urls.gateway,
    perSecond: requestsPerSecond,
    next: (index) => {
      const round = Math.floor(index / requests.length);
      return (requests[index % requests.length] as MakeRequest)(round);
    },
  });
  const restarted: { name: string; ends: string[]; accepted: number }[] = [];
  for (const { name, restart } of running.workloads)
    restarted.push({ name, ends: await restart(), accepted: await countAccepted() });
  const report = await load.stop();
  console.info(JSON.stringify({ ...report, failures: report.failures.length, restarted }));
  await expect.poll(countAccepted, { timeout: 400_000, interval: 1_000 }).toBe(due.length);
  await product.settle();

  expect(report.failures).toEqual([]);
  expect(report.perSecond).toBeGreaterThan(requestsPerSecond * 0.98);
  expect(restarted.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(chart.workloads)
      .filter((name) => name !== 'sandbox')
      .toSorted(),
  );
  const clean = ['exit code 0', 'exit code 0'];
  expect(restarted.filter(({ ends }) => ends.join() !== clean.join())).toEqual([]);
  // While those on the road of a text were replaced, the batch was on it.
  expect(restarted[roadOfTexts.length - 1]?.accepted).toBeLessThan(due.length);
  expect(await othersThanOnce(due)).toEqual([]);
  expect(await countWritten()).toBe(Math.floor(report.requests / requests.length));
}, 900_000);

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
/** Of the batch, by our own books: the provider's log is long. */
const countAccepted = () =>
  countRows(
    `sms_gateway.texts where kind = 'daily' and state in ('accepted', 'sent', 'delivered')`,
  );

/** Phones that got no text or more than one, and those that should have got none. */
async function othersThanOnce(due: string[]): Promise<[string, number][]> {
  const counts = new Map(due.map((phone) => [phone, 0]));
  for (const { to } of await product.texts())
    if (to.startsWith('+1555')) counts.set(to, (counts.get(to) ?? 1) + 1);
  return [...counts].filter(([, count]) => count !== 1);
}

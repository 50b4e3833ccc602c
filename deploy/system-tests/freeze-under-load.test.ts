import type { FreezeState, LiftPreview } from '@daylift/contracts/freeze.http';
import type { UndeliveredTexts } from '@daylift/contracts/undelivered.http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../local/secrets.ts';
import { fillDatabase } from '../local/seed/fill-database.ts';
import type { ProductClient } from './product-client.ts';
import { queryDatabase } from './query-database.ts';
import { killAndWait, startSecondReplica } from './second-replica.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

/** Enough for two workers to send for over ten seconds at this rate, so the freeze comes in the middle. */
const peoplePerBatch = 600;
const latencyMs = 200;

let running: TestStack;
let product: ProductClient;
let owner: string;
let secondWorker: Awaited<ReturnType<typeof startSecondReplica>>;

beforeAll(async () => {
  running = await startTestStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    SMS_RATE_PER_SECOND: '40',
    // A killed worker's texts are claimed again within the test.
    SEND_LEASE_MS: '3000',
    PROVIDER_TIMEOUT_MS: '2000',
  });
  product = running.product;
  secondWorker = await startSecondReplica(running.stack, 'sms-worker');
  owner = await product.adminLogin(running.stack.adminCredentials);
  await product.faults({ latency_ms: { telnyx: latencyMs } });
}, 180_000);
afterAll(async () => {
  await secondWorker?.stop();
  await running?.stop();
});

interface Reader {
  id: string;
  phone: string;
  timezone: string;
}

/** Adds subscribers up to a total, the new ones due in two hours, and returns the eligible ones. */
async function addPeople(total: number): Promise<Reader[]> {
  const { stack } = running;
  await product.settle();
  await fillDatabase({
    databaseAdminUrl: stack.databaseAdminUrl,
    secrets: loadSecrets(stack.layout.secrets, {}),
    size: { subscribers: total, texts: 0, due: total },
    now: await product.now(),
    print: () => undefined,
  });
  const readers = await queryDatabase<Reader>(
    stack,
    `select id, phone, timezone from accounts.users
     where is_active and delivery_enabled and consent = 'granted' and not opted_out
       and subscription_status in ('trial', 'active', 'past_due')`,
  );
  return readers.filter(({ phone }) => Number(phone.slice(-7)) > total - peoplePerBatch);
}

const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const response = await product.api<T>(method, `/admin${path}`, body, owner);
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBe(200);
  return response.body;
};
const readFreeze = () => call<FreezeState>('GET', '/freeze');
const countTexts = async () => (await product.texts()).length;

/** Advances to an hour, and freezes once that many of its texts were accepted. */
async function freezeInTheMiddle(hour: string, after: number) {
  const before = await countTexts();
  const journey = product.advanceTo(new Date(hour));
  await expect
    .poll(countTexts, { timeout: 60_000, interval: 50 })
    .toBeGreaterThanOrEqual(before + after);
  const response = await call<FreezeState>('POST', '/freeze', { reason: 'A drill' });
  return { response, answeredAt: Date.now(), journey };
}

/** Returns how long after an instant (wall clock) each later text was accepted. */
const acceptedAfter = async (instant: number) =>
  (await product.texts())
    .map(({ accepted_wall_at }) => Date.parse(accepted_wall_at) - instant)
    .filter((ms) => ms > 0);

async function textsOf(readers: Reader[]): Promise<Map<string, number>> {
  const counts = new Map(readers.map(({ id }) => [id, 0]));
  const byPhone = new Map(readers.map(({ id, phone }) => [phone, id]));
  for (const { to } of await product.texts()) {
    const id = byPhone.get(to);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns the ids listed under an outcome for a local date, by reason. */
async function listMissed(outcome: string, date: string): Promise<Record<string, string[]>> {
  const { groups } = await call<UndeliveredTexts>('GET', `/missed?date=${date}`);
  const listed: Record<string, string[]> = {};
  for (const { key, reason, people } of groups.filter((one) => one.outcome === outcome)) {
    const ids: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const search = new URLSearchParams({ date, reason: key, limit: '100' });
      if (next !== '') search.set('cursor', next);
      const page: UndeliveredTexts = await call<UndeliveredTexts>('GET', `/missed?${search}`);
      ids.push(...page.people.map((one) => one.user_id));
      next = page.next;
    }
    expect(ids).toHaveLength(people);
    listed[reason ?? ''] = ids.toSorted();
  }
  return listed;
}

async function listUnknown(...dates: string[]): Promise<Set<string>> {
  const lists = await Promise.all(dates.map((date) => listMissed('unknown', date)));
  return new Set(lists.flatMap((one) => Object.values(one).flat()));
}

test('a freeze during a batch of two workers applies within a second, despite kill -9 of a worker and the scheduler and a flush of Redis; catch-up sends everyone who is on time one text, and lists the others', async () => {
  const readers = await addPeople(peoplePerBatch);
  const { response, answeredAt, journey } = await freezeInTheMiddle('2027-04-05T17:00:00Z', 80);
  // With calls in flight: the worst moment.
  await killAndWait(running.stack, 'sms-worker');
  await killAndWait(running.stack, 'scheduler');
  await journey;
  await running.stack.flushRedis();
  await product.settle();
  const late = await acceptedAfter(answeredAt);
  expect(late.filter((ms) => ms > 1_000)).toEqual([]);
  expect(late.length).toBeLessThanOrEqual(response.in_flight);
  expect(response.frozen).toBe(true);
  const accepted = await countTexts();

  // In East Asia and Australia the chosen hour was in quiet hours, and is over.
  await product.advanceTo(new Date('2027-04-05T18:05:00Z'));
  expect(await countTexts()).toBe(accepted);
  const before = await textsOf(readers);
  const unknown = await listUnknown('2027-04-05', '2027-04-06');
  // A call that was killed before it reached the provider is not repeated.
  expect(unknown.size).toBeLessThanOrEqual(response.in_flight);
  const waited = readers.filter(({ id }) => before.get(id) === 0 && !unknown.has(id));
  const isEast = ({ timezone }: Reader) => /^(Asia|Australia)/.test(timezone);
  const tooLate = waited.filter(isEast);
  const inTime = waited.filter((one) => !isEast(one));
  expect(Math.min(tooLate.length, inTime.length)).toBeGreaterThan(20);
  expect(await readFreeze()).toMatchObject({
    frozen: true,
    since: response.since,
    reason: 'A drill',
    in_flight: 0,
    queued: inTime.length,
    missed_meanwhile: tooLate.length,
    unknown: unknown.size,
  });
  expect(await call<LiftPreview>('GET', '/freeze/lift-preview')).toMatchObject({
    catch_up: inTime.length,
    too_late: tooLate.length,
    in_the_morning: 0,
    own_texts: 0,
  });
  const lift = { missed: 'catch_up', since: response.since };
  expect(await call('POST', '/freeze/lift', lift)).toMatchObject({ frozen: false });
  await product.settle();
  const after = await textsOf(readers);
  expect(inTime.filter(({ id }) => after.get(id) !== 1)).toEqual([]);
  expect(tooLate.filter(({ id }) => after.get(id) !== 0)).toEqual([]);
  expect(readers.filter(({ id }) => (after.get(id) ?? 0) > 1)).toEqual([]);
  expect(await listMissed('missed', '2027-04-05')).toEqual({});
  expect(await listMissed('missed', '2027-04-06')).toEqual({
    frozen: tooLate.map(({ id }) => id).toSorted(),
  });
}, 180_000);

test('a second freeze lifted with skip sends nothing to those who waited, and lists them', async () => {
  const readers = await addPeople(2 * peoplePerBatch);
  const { response, answeredAt, journey } = await freezeInTheMiddle('2027-04-05T20:00:00Z', 80);
  await journey;
  const late = await acceptedAfter(answeredAt);
  expect(late.filter((ms) => ms > 1_000)).toEqual([]);
  expect(late.length).toBeLessThanOrEqual(response.in_flight);
  const accepted = await countTexts();
  const before = await textsOf(readers);
  // A call that timed out on a busy machine may still be accepted.
  const unknown = await listUnknown('2027-04-05', '2027-04-06');
  const waited = readers.filter(({ id }) => before.get(id) === 0 && !unknown.has(id));
  expect(waited.length).toBeGreaterThan(readers.length / 3);
  await call('POST', '/freeze/lift', { missed: 'skip', since: response.since });
  await product.settle();
  expect((await countTexts()) - accepted).toBeLessThanOrEqual(unknown.size);
  const after = await textsOf(waited);
  expect(waited.filter(({ id }) => after.get(id) !== 0)).toEqual([]);
  const listed = await Promise.all(
    ['2027-04-05', '2027-04-06'].map((date) => listMissed('skipped', date)),
  );
  expect(listed.flatMap((one) => one.frozen_skipped ?? []).toSorted()).toEqual(
    waited.map(({ id }) => id).toSorted(),
  );
}, 180_000);

import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { identityHeader } from '@daylift/server/identity';
import { eventually } from '@daylift/testing/eventually';
import { signTestIdentity } from '@daylift/testing/identity';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAdmin } from '../test/factories.ts';
import { type Processes, startProcesses } from '../test/processes.ts';
import { newTextId } from './texts/text-ids.ts';

const clockStart = '2027-03-09T15:00:00Z';
const today = '2027-03-09';
let service: Processes;

beforeAll(async () => {
  service = await startProcesses(clockStart, { SMS_RATE_PER_SECOND: '120' });
  await service.sandbox.faults({
    telnyx: { rate_limit_per_second: 5_000, sends_per_second: 5_000 },
  });
});
afterAll(() => service.close());

const sign = signTestIdentity('sms-gateway');
const post = async (path: string, body: unknown) => {
  const response = await fetch(`${service.apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [identityHeader]: sign(asAdmin('operator')) },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
};

interface Reader {
  user_id: string;
  phone: string;
  text: string;
}
let numbers = 0;

const people = (count: number): Reader[] =>
  Array.from({ length: count }, () => {
    numbers += 1;
    const phone = `+1312${String(5_560_000 + numbers)}`;
    return { user_id: randomUUID(), phone, text: newTextId(today) };
  });

/** Queues a batch of due texts to eligible subscribers, as a release would. */
async function queueBatch(readers: Reader[]): Promise<void> {
  const [batch, now] = [randomUUID(), new Date(clockStart)];
  const closes = new Date(now.getTime() + 3 * hourMs);
  const windows = JSON.stringify([{ opens_at: clockStart, closes_at: closes.toISOString() }]);
  await service.db
    .insertInto('batches')
    .values({ id: batch, kind: 'scheduled', name: 'Daily texts', created_at: now })
    .execute();
  await sql`insert into recipients (user_id, version, subscription_version, phone, number_hash, first_name, timezone,
      delivery_hour, frequency, is_active, delivery_enabled, consent, entitled)
    select id, 1, 1, phone, md5(phone), 'Ada', 'America/New_York', 10, 'daily', true, true, 'granted', true
    from unnest(${readers.map((one) => one.user_id)}::uuid[], ${readers.map((one) => one.phone)}::text[])
      as readers (id, phone)`.execute(service.db);
  await sql`insert into texts (id, local_date, kind, user_id, batch_id, content, windows, deadline_at, next_attempt_at,
      created_at)
    select text, ${today}, 'daily', id, ${batch}, 'Breathe.', ${windows}::jsonb, ${closes}, ${now}, ${now}
    from unnest(${readers.map((one) => one.text)}::text[], ${readers.map((one) => one.user_id)}::uuid[])
      as readers (text, id)`.execute(service.db);
}

const marked = async () => {
  const { rows } = await sql<{ texts: number }>`
    select count(*)::int as texts from texts where handed_at is not null`.execute(service.db);
  return rows[0]!.texts;
};
const allSettled = (readers: Reader[]) =>
  eventually(
    async () => {
      const { rows } = await sql<{ open: number }>`select count(*)::int as open from texts
        where id = any(${readers.map(({ text }) => text)}) and settled_at is null`.execute(
        service.db,
      );
      if (rows[0]!.open === 0) return true;
      throw new Error(`${rows[0]!.open} are open`);
    },
    { within: 60_000, what: 'the end of the batch' },
  );
/** How far the product's clock is ahead of the wall clock. */
async function offsetMs(): Promise<number> {
  const clock = await (await fetch(`${service.sandbox.url}/sandbox/clock`)).json();
  return (clock as { offset_ms: number }).offset_ms;
}

it('with testing mode toggled 100 times during 1,200 texts, each went where its mark says', async () => {
  await service.startWorker();
  await service.startWorker();
  const readers = people(1_200);
  await queueBatch(readers);
  const offset = await offsetMs();
  const now = () => Date.now() + offset;
  // Each test number is used once, so a text shows under which setting it was sent.
  const phases = [{ from: -Infinity, until: Infinity, to: null as string | null }];
  for (let flip = 1; flip <= 100; flip += 1) {
    const before = await marked();
    // On a busy machine, slots lapse, and their texts are tried again after up to a minute.
    await eventually(async () => (await marked()) >= Math.min(1_200, before + 12), {
      within: 60_000,
    });
    const to = flip % 2 === 1 ? `+1312555${String(1_000 + flip)}` : null;
    phases.at(-1)!.until = now();
    await post('/admin/settings/testing-mode', {
      enabled: to !== null,
      ...(to && { test_phone: to }),
    });
    phases.push({ from: now(), until: Infinity, to });
  }
  await allSettled(readers);
  const accepted = await service.sandbox.texts();
  expect(accepted).toHaveLength(1_200);
  const acceptedTo = new Map(accepted.map(({ dispatch, to }) => [dispatch, to]));
  const rows = await service.db
    .selectFrom('texts')
    .select(['id', 'handed_at', 'is_test'])
    .where('local_date', '=', today)
    .execute();
  const phoneOf = new Map(readers.map(({ text, phone }) => [text, phone]));
  let certain = 0;
  for (const { id, handed_at, is_test } of rows) {
    const own = phoneOf.get(id)!;
    const at = handed_at!.getTime();
    expect(acceptedTo.get(id) !== own, id).toBe(is_test);
    // Between a change's request and its response, either setting applies.
    const possible = phases.filter((_phase, index) => {
      const [begins, ends] = [
        phases[index - 1]?.until ?? -Infinity,
        phases[index + 1]?.from ?? Infinity,
      ];
      return at >= begins - 2 && at <= ends + 2;
    });
    expect(
      possible.map(({ to }) => to ?? own),
      `${id} at ${at}`,
    ).toContain(acceptedTo.get(id));
    if (possible.length === 1) certain += 1;
  }
  // A group is marked at one instant, which on a slow machine often falls between a request and its response.
  expect(certain).toBeGreaterThan(300);
  const tests = rows.filter(({ is_test }) => is_test).length;
  expect(Math.min(tests, 1_200 - tests)).toBeGreaterThan(300);
  // Texts to the test number fail no one's day and count in no statistics.
  const { successful } = (
    await sql<{ successful: number }>`select sum(successful)::int as successful from (
      select successful from daily_counts union all select day_successful from count_changes) as parts`.execute(
      service.db,
    )
  ).rows[0]!;
  expect(successful).toBe(1_200 - tests);
}, 180_000);

it('a batch with 25 percent failures sends one email within a minute, one with 15 percent none', async () => {
  await service.startWorker();
  const to = 'ops@example.com';
  await post('/admin/settings/testing-mode', { enabled: false });
  await sql`delete from minute_counts`.execute(service.db);
  await post('/admin/settings/alert-email', { email: to, failure_threshold: 20, enabled: true });
  const batch = async (
    size: number,
    { failing, stopped }: Record<'failing' | 'stopped', number>,
  ) => {
    const readers = people(size);
    // Spread over the batch: failures that come first would raise the alert early, with a higher share.
    const dials = Array.from({ length: failing + stopped }, (_unused, index) => [
      readers[(index * 7) % size]!.phone,
      { code: index < failing ? '40310' : '40300' },
    ]);
    await service.sandbox.faults({ recipients: Object.fromEntries(dials) });
    await queueBatch(readers);
    await allSettled(readers);
  };
  // That the first two send no alert shows in the single mail at the end.
  await batch(40, { failing: 4, stopped: 12 });
  await batch(40, { failing: 6, stopped: 0 });
  await batch(40, { failing: 10, stopped: 0 });
  const [mail, ...more] = await eventually(
    async () => {
      const mails = await service.sandbox.emails(to);
      return mails.length > 0 && mails;
    },
    { within: 60_000, what: 'the alert' },
  );
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Daylift: 25% of texts failed' });
  expect(mail!.text.match(/Daily texts/g)).toHaveLength(1);
  expect(mail!.text).toContain('10 of 40 texts failed (25%)');
}, 120_000);

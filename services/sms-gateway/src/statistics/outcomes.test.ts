import type { DailyStats, HourlyStats } from '@daylift/contracts/sms-operations.http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aDispatch, aNumber, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { foldCounts } from '../batches/fold-counts.ts';
import { endMissed } from '../texts/results.ts';

let harness: Harness;
let admin: ReturnType<typeof adminCalls>;
const today = '2027-03-09';

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

const daily = async (query = '') =>
  (await admin.get(`/admin/sms-stats/daily${query}`)).json<DailyStats[]>();
const hourly = async (query = '') =>
  (await admin.get(`/admin/sms-stats/hourly${query}`)).json<HourlyStats[]>();
const one = async (overrides = {}) => aDispatch(await aSubscriber(harness), harness, overrides);
const fold = async () => {
  while ((await foldCounts(harness.db, harness.clock.now())) > 0);
};

it('counts each text of a day by outcome, before and after folding, without tests', async () => {
  const people = await Promise.all([aSubscriber(harness), aSubscriber(harness)]);
  const [refused, delivered] = people.map((person) => aDispatch(person, harness));
  const off = aDispatch(await aSubscriber(harness, { delivery_enabled: false }), harness);
  await harness.sandbox.faults({ recipients: { [people[0]!.phone]: { code: '40310' } } });
  const mover = await aSubscriber(harness);
  const replaced = aDispatch(mover, harness);
  await harness.receive('accounts.recipient.changed', { ...mover, version: 2, delivery_hour: 18 });
  await release(harness, [refused!, delivered!, off, replaced]);
  await harness.sendAllDue();
  await harness.reaches(delivered!.dispatch_id, 'delivered');
  await admin.post('/admin/settings/testing-mode', { enabled: true, test_phone: aNumber() });
  await release(harness, [await one()]);
  await harness.sendAllDue();
  const expected = {
    date: today,
    delivered: 1,
    sent: 0,
    failed: 1,
    unknown: 0,
    missed: 0,
    skipped: 1,
    cost: expect.any(Number),
  };
  expect((await daily()).at(-1)).toEqual(expected);
  await fold();
  const days = await daily();
  expect(days.at(-1)).toEqual(expected);
  expect(days.at(-1)!.cost).toBeGreaterThan(0);
  expect(days).toHaveLength(30);
  expect(days[0]).toMatchObject({ date: '2027-02-08', delivered: 0, cost: 0 });
  await admin.post('/admin/settings/testing-mode', { enabled: false });
});

it('shows pending texts as sent, and late ones as missed', async () => {
  await harness.sandbox.faults({ telnyx: { sent_after_ms: 60_000, finalized_after_ms: 60_000 } });
  const [sent, late] = [
    await one(),
    await one({
      windows: [{ opens_at: '2027-03-09T10:00:00Z', closes_at: '2027-03-09T11:00:00Z' }],
      due_at: '2027-03-09T10:00:00Z',
    }),
  ];
  await release(harness, [sent, late]);
  await endMissed(harness.db, harness.clock.now());
  await harness.sendAllDue();
  expect((await daily('?days=1')).at(0)).toMatchObject({ date: today, sent: 1, missed: 1 });
  await harness.sandbox.faults({ reset: true });
});

it('ends the days with today in the time zone of operators', async () => {
  harness.deps.operatorTimezone = 'Australia/Sydney';
  expect((await daily('?days=1')).map(({ date }) => date)).toEqual(['2027-03-10']);
  harness.deps.operatorTimezone = 'America/New_York';
});

it('counts successes and failures per hour, current hour last', async () => {
  await fold();
  const hours = await hourly();
  expect(hours).toHaveLength(24);
  // One delivered and one in flight; one rejected and one missed.
  expect(hours.at(-1)).toEqual({ hour: '2027-03-09T15:00:00.000Z', successful: 2, failed: 2 });
  expect(await hourly('?hours=2')).toHaveLength(2);
});

it('shows the provider settings, with costs from receipts', async () => {
  const response = await admin.get('/admin/sms-system/provider');
  expect(response.json()).toMatchObject({
    mode: 'sandbox',
    rate_per_second: 1_000,
    batch_size: 50,
    sending_numbers: ['+18885550123'],
    cost_per_part: expect.stringMatching(/^0\.\d+$/),
    currency: 'USD',
    cost_from: 'receipts',
    latest_receipt_at: expect.any(String),
    pause: null,
  });
});

it('shows why sending is paused, and the next try', async () => {
  await harness.sandbox.faults({ error: { telnyx: { rate: 1, code: '10009' } } });
  const text = await one();
  await release(harness, [text]);
  await harness.send(text.dispatch_id);
  const { pause } = (await admin.get('/admin/sms-system/provider')).json();
  expect(pause).toMatchObject({
    code: 'provider_10009',
    reason: 'Our API key was rejected. (Error 10009.)',
    since: expect.any(String),
    next_probe_at: expect.any(String),
  });
});

it.each(['/admin/sms-stats/daily', '/admin/sms-stats/hourly', '/admin/sms-system/provider'])(
  '%s is for admins only',
  async (path) => {
    expect(await admin.refusals('GET', path)).toEqual([401, 403]);
  },
);

it.each(['daily?days=0', 'daily?days=367', 'daily?days=x', 'hourly?hours=0', 'hourly?hours=1.5'])(
  'rejects %s',
  async (query) => {
    expect((await admin.get(`/admin/sms-stats/${query}`)).statusCode).toBe(400);
  },
);

import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { createOpsServer } from '@daylift/server/ops-server';
import { eventually } from '@daylift/testing/eventually';
import { type Figures, readMetrics } from '@daylift/testing/metrics';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aQueuedText } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { receipt } from '../../test/receipts.ts';
import { signed } from '../../test/sandbox.ts';
import { endMissed } from './results.ts';

let harness: Harness;
let before: Figures;
beforeAll(async () => {
  harness = await createHarness({ timeoutMs: 400 });
});
afterAll(() => harness.close());
beforeEach(async () => {
  before = await readMetrics(harness.app);
});
afterEach(() => harness.sandbox.faults({ reset: true }));

const outcomes = ['sent', 'delivered', 'failed', 'missed', 'skipped', 'unknown'];

/** Returns daily texts counted in this test. */
async function counted(): Promise<Record<string, number>> {
  const after = await readMetrics(harness.app);
  const growth = outcomes.map((outcome) => {
    const of = (figures: Figures) =>
      figures(`sms_texts_${outcome}_total`, { kind: 'daily' }) ?? Number.NaN;
    return [outcome, of(after) - of(before)] as const;
  });
  return Object.fromEntries(growth.filter(([, count]) => count !== 0));
}
const countedAs = (counts: Record<string, number>) =>
  eventually(async () => {
    const now = await counted();
    if (JSON.stringify(now) === JSON.stringify(counts)) return true;
    throw new Error(JSON.stringify(now));
  });
const figure = async (name: string, labels?: Record<string, string>) =>
  (await readMetrics(harness.app))(name, labels);
const later = (ms: number) => new Date(harness.clock.now().getTime() + ms);

it('the receipt age is infinite before the first receipt, so initial silence shows', async () => {
  expect(await figure('sms_last_receipt_age_seconds')).toBe(Number.POSITIVE_INFINITY);
});

describe('each outcome is counted once, by kind', () => {
  it('sent and delivered, with cost and lateness', async () => {
    const due_at = later(-40_000).toISOString();
    const { id } = await aQueuedText(harness, { dispatch: { due_at } });
    await harness.send(id);
    await harness.reaches(id, 'delivered');
    await countedAs({ sent: 1, delivered: 1 });
    const after = await readMetrics(harness.app);
    const growth = (name: string, labels?: Record<string, string>) =>
      after(name, labels)! - (before(name, labels) ?? 0);
    expect(growth('sms_cost_dollars_total')).toBeCloseTo(0.007);
    const daily = { kind: 'daily' };
    expect(growth('sms_text_lateness_seconds_sum', daily)).toBeGreaterThanOrEqual(40);
    expect(growth('sms_text_lateness_seconds_bucket', { ...daily, le: '30' })).toBe(0);
    expect(growth('sms_text_lateness_seconds_bucket', { ...daily, le: '60' })).toBe(1);
    expect(after('sms_last_receipt_age_seconds')).toBeLessThan(60);
  });

  it('rejected by the provider', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.sandbox.faults({ recipients: { [recipient.phone]: { code: '40310' } } });
    await harness.send(id);
    await countedAs({ failed: 1 });
  });

  it('unknown, then sent once a receipt proves it', async () => {
    await harness.sandbox.faults({ accept_then_drop: 1, webhook: { drop: 1 } });
    const { id, recipient } = await aQueuedText(harness);
    expect(await harness.send(id)).toBe('unknown');
    await countedAs({ unknown: 1 });
    expect(await figure('sms_texts_unresolved')).toBe(1);
    const [taken] = await harness.sandbox.texts(recipient.phone);
    const body = receipt({ status: 'sent', provider_id: taken!.id, to: recipient.phone });
    const url = `/webhooks/telnyx/${id}`;
    await harness.call({ method: 'POST', url, body, headers: signed(body) });
    await countedAs({ sent: 1, unknown: 1 });
    expect(await figure('sms_texts_unresolved')).toBe(0);
  });

  it('missed', async () => {
    const { id } = await aQueuedText(harness);
    await endMissed(harness.db, later(2 * hourMs));
    await harness.reaches(id, 'missed');
    await countedAs({ missed: 1 });
  });

  it('not at all for the test number', async () => {
    const enable = (enabled: boolean) =>
      harness.db
        .updateTable('testing_mode')
        .set((set) => ({
          enabled,
          test_phone: '+13125550000',
          revision: set('revision', '+', 1),
        }))
        .execute();
    await enable(true);
    const { id } = await aQueuedText(harness);
    await harness.send(id);
    await harness.reaches(id, 'delivered');
    await enable(false);
    await countedAs({});
  });
});

it('due texts are counted, with the age of the oldest', async () => {
  const { id } = await aQueuedText(harness, { dispatch: { due_at: later(-1_000).toISOString() } });
  await aQueuedText(harness, { dispatch: { due_at: later(hourMs).toISOString() } });
  expect(await figure('sms_queue_depth')).toBe(1);
  await harness.moveTo(later(120_000));
  expect(await figure('sms_queue_oldest_seconds')).toBeGreaterThanOrEqual(120);
  await harness.send(id);
  expect(await figure('sms_queue_depth')).toBe(0);
  expect(await figure('sms_queue_oldest_seconds')).toBe(0);
});

it("a new code, sent before others, doesn't hide the age of the oldest text", async () => {
  const { id, recipient } = await aQueuedText(harness);
  await harness.moveTo(later(1_800_000));
  await harness.receive('accounts.code.requested', {
    request_id: randomUUID(),
    user_id: recipient.user_id,
    expires_at: later(600_000).toISOString(),
  });
  expect(await figure('sms_queue_depth')).toBe(2);
  expect(await figure('sms_queue_oldest_seconds')).toBeGreaterThanOrEqual(1_800);
  await harness.send(id);
  expect(await figure('sms_queue_oldest_seconds')).toBe(0);
  await harness.sendAllDue();
});

it('the reason for a pause is a metric', async () => {
  expect(await figure('sms_sending_stopped', { why: 'paused' })).toBe(0);
  await harness.db
    .updateTable('send_pause')
    .set({ paused_at: harness.clock.now(), reason: 'x', probe_at: later(60_000) })
    .execute();
  expect(await figure('sms_sending_stopped', { why: 'paused' })).toBe(1);
  expect(await figure('sms_sending_stopped', { why: 'frozen' })).toBe(0);
});

it('metrics contain no number, name or text', async () => {
  const { recipient } = await aQueuedText(harness);
  const { body } = await createOpsServer(harness.app).inject({ url: '/metrics' });
  for (const trace of [recipient.phone, recipient.phone.slice(1), recipient.user_id, 'Breathe'])
    expect(body).not.toContain(trace);
});

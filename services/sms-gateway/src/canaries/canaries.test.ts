import { secondMs } from '@daylift/clock/durations';
import { readMetrics } from '@daylift/testing/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { type ABatch, aDispatch, aSubscriber } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { sendAlerts } from '../alerts/send-alerts.ts';
import { canaryCount } from '../batches/first-texts.ts';
import { foldCounts } from '../batches/fold-counts.ts';
import { judgeCanaries } from './judge-canaries.ts';

let harness: Harness;
let admin: ReturnType<typeof adminCalls>;
let batch: ABatch;
let phones: string[];
const many = 60;
const expected = 1_000;
const first = 20;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

/** Releases texts of a batch that will have 1,000: first 50, then the rest. */
beforeEach(async () => {
  await harness.sandbox.faults({ reset: true });
  await harness.db
    .updateTable('alert_settings')
    .set({ email: 'ops@daylift.example', enabled: true })
    .execute();
  const subscribers = await Promise.all(Array.from({ length: many }, () => aSubscriber(harness)));
  const dispatches = subscribers.map((one) => aDispatch(one, harness));
  const created_at = harness.clock.now().toISOString();
  batch = { id: crypto.randomUUID(), kind: 'scheduled', name: 'Daily texts', created_at };
  for (const part of [dispatches.slice(0, 50), dispatches.slice(50)])
    await harness.receive('scheduler.dispatches.released', { batch, dispatches: part, expected });
  phones = subscribers.map(({ phone }) => phone);
});

const moveBy = (seconds: number) =>
  harness.moveTo(new Date(harness.clock.now().getTime() + seconds * secondMs));

const countJudged = async (verdict: string) =>
  (await readMetrics(harness.app))('sms_canary_batches_total', { verdict }) ?? 0;

async function sentTo(): Promise<number> {
  const texts = await Promise.all(phones.map((phone) => harness.sandbox.texts(phone)));
  return texts.flat().length;
}

async function countFailed(): Promise<number> {
  const rows = await harness.db
    .selectFrom('texts')
    .select('id')
    .where('batch_id', '=', batch.id)
    .where('state', '=', 'failed')
    .execute();
  return rows.length;
}

async function shownBatch() {
  const { body } = await admin.get('/admin/sms-batches');
  const batches = JSON.parse(body) as { id: string }[];
  return batches.find(({ id }) => id === batch.id);
}

describe('A batch of 1,000', () => {
  it('starts with 20 texts, and the rest follows within ten seconds once these arrive', async () => {
    await harness.sendAllDue();
    expect(await sentTo()).toBe(first);
    expect(await shownBatch()).toMatchObject({ status: 'processing' });
    await moveBy(8);
    await expect.poll(() => judgeCanaries(harness.deps)).toBe(1);
    await moveBy(2);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(many);
    expect(await shownBatch()).toMatchObject({ stop: null });
  });

  it('is held if too many of the first texts fail, until an operator resumes it', async () => {
    await harness.sandbox.faults({ telnyx: { undelivered: 1 } });
    await harness.sendAllDue();
    await expect.poll(countFailed).toBe(first);
    await moveBy(8);
    const heldBefore = await countJudged('held');
    expect(await judgeCanaries(harness.deps)).toBe(1);
    expect(await countJudged('held')).toBe(heldBefore + 1);
    await moveBy(60);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(first);
    expect(await shownBatch()).toMatchObject({
      status: 'stopped',
      stop: {
        reason: 'Too many of the first texts failed, so the rest is held.',
        resumes_at: null,
      },
    });
    await foldCounts(harness.db, harness.clock.now());
    expect(await sendAlerts(harness.deps)).toBe(1);
    const { text } = await harness.db.selectFrom('mails').select('text').executeTakeFirstOrThrow();
    expect(text).toContain('The rest is held until you resume it.');
    await harness.sandbox.faults({ reset: true });
    await admin.post(`/admin/sms-batches/${batch.id}/resume`, {});
    await harness.sendAllDue();
    expect(await sentTo()).toBe(many);
  });

  it('sends nothing more if sending was frozen and the freeze is lifted with skip', async () => {
    await harness.sendAllDue();
    const late = await aSubscriber(harness);
    const dispatches = [aDispatch(late, harness)];
    await admin.post('/admin/freeze', {});
    await moveBy(1);
    await admin.post('/admin/freeze/lift', { missed: 'skip' });
    await harness.receive('scheduler.dispatches.released', { batch, dispatches, expected });
    await moveBy(8);
    await expect.poll(() => judgeCanaries(harness.deps)).toBe(1);
    await moveBy(2);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(first);
    expect(await harness.sandbox.texts(late.phone)).toEqual([]);
    const skipped = (await harness.settled()).filter(({ reason }) => reason === 'frozen_skipped');
    expect(skipped.filter((one) => one.batch_id === batch.id)).toHaveLength(many - first + 1);
  });

  it('continues after two failures, which can be chance', async () => {
    const failing = phones.slice(0, 2).map((phone) => [phone, { final: 'delivery_failed' }]);
    await harness.sandbox.faults({ recipients: Object.fromEntries(failing) });
    await harness.sendAllDue();
    await expect.poll(countFailed).toBe(2);
    await moveBy(8);
    await expect.poll(() => judgeCanaries(harness.deps)).toBe(1);
    await moveBy(2);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(many);
  });

  it('waits a minute at most for missing receipts', async () => {
    await harness.sandbox.faults({ webhook: { drop: 1 } });
    await harness.sendAllDue();
    await moveBy(30);
    expect(await judgeCanaries(harness.deps)).toBe(0);
    await moveBy(31);
    expect(await judgeCanaries(harness.deps)).toBe(1);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(many);
  });

  it('waits while its first texts take long, and continues by itself', async () => {
    await moveBy(45);
    expect(await judgeCanaries(harness.deps)).toBe(0);
    await moveBy(45);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(first);
    expect(await judgeCanaries(harness.deps)).toBe(1);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(many);
  });

  it('continues after a minute if nothing judges it', async () => {
    await harness.sendAllDue();
    await moveBy(61);
    await harness.sendAllDue();
    expect(await sentTo()).toBe(many);
  });
});

it('a batch starts with 2% of its texts, at most 50; up to 500 texts go together', () => {
  const counts = [0, 500, 501, 2_500, 85_000].map((texts) => canaryCount(texts, 500));
  expect(counts).toEqual([0, 0, 11, 50, 50]);
  expect(canaryCount(85_000, 0)).toBe(0);
});

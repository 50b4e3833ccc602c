import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { FailedItems } from '@daylift/contracts/failed.http';
import type { FreezeState } from '@daylift/contracts/freeze.http';
import type { SmsBatch } from '@daylift/contracts/sms.http';
import type { ProviderError } from '@daylift/contracts/sms-operations.http';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aDispatch, aQueuedText, aSubscriber, asService, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { receipt } from '../../test/receipts.ts';
import { signed } from '../../test/sandbox.ts';
import { sendAlerts } from '../alerts/send-alerts.ts';
import { resumeSending } from '../provider/send-pause.repository.ts';
import { reconcile } from '../receipts/reconcile.ts';
import { endMissed } from '../texts/results.ts';

let harness: Harness;
let admin: ReturnType<typeof adminCalls>;
beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());
afterEach(async () => {
  await harness.sandbox.faults({ reset: true });
  await resumeAll();
});

/** Ends each pause, slowdown and stop. */
async function resumeAll() {
  await resumeSending(harness.db, harness.clock.now());
  await harness.db.updateTable('senders').set({ slowdowns: 0, slowed_at: null }).execute();
  const going = { stopped_at: null, stop_code: null, resumes_at: null };
  await harness.db.updateTable('batches').set(going).execute();
}

const get = async <T>(url: string) => (await admin.get(url)).json<T>();
const inMinutes = (minutes: number) =>
  harness.moveTo(new Date(harness.clock.now().getTime() + minutes * minuteMs));
const sentTo = async (phone: string) => (await harness.sandbox.texts(phone)).length;

/** A batch of texts that may be sent for a day and a half. */
async function aBatch(size: number) {
  const now = harness.clock.now();
  const closes_at = new Date(now.getTime() + 36 * hourMs).toISOString();
  const people: Awaited<ReturnType<typeof aSubscriber>>[] = [];
  for (let index = 0; index < size; index += 1) people.push(await aSubscriber(harness));
  const dispatches = people.map((one) =>
    aDispatch(one, harness, { windows: [{ opens_at: now.toISOString(), closes_at }] }),
  );
  const batch = await release(harness, dispatches.slice(0, 50));
  for (let first = 50; first < size; first += 50)
    await release(harness, dispatches.slice(first, first + 50), batch);
  return {
    id: batch.id,
    texts: dispatches.map(({ dispatch_id: id }, index) => ({ id, phone: people[index]!.phone })),
  };
}

type Dial = { code: string; title?: string; times?: number; final?: string };
const dial = (phone: string, fault: Dial) =>
  harness.sandbox.faults({ recipients: { [phone]: fault } });

const atRest = (id: string) =>
  eventually(async () => {
    const text = await harness.text(id);
    if (['inflight', 'accepted', 'sent'].includes(text.state)) throw new Error(text.state);
    return text;
  });

async function batchOf(id: string): Promise<SmsBatch> {
  const batches = await get<SmsBatch[]>('/admin/sms-batches?limit=10');
  return batches.find((one) => one.id === id)!;
}

/** Midnight in Los Angeles after the tests' first day. */
const midnightPacific = '2027-03-10T08:00:00.000Z';

/** Sends the batch's next text with this fault. Returns what happened, in words. */
async function whatHappens(
  { id: batch, texts }: Awaited<ReturnType<typeof aBatch>>,
  fault: Dial,
): Promise<string> {
  const { id, phone } = texts.pop()!;
  // The receipts arrive in their order.
  await harness.sandbox.faults({
    telnyx: { finalized_after_ms: 100 },
    recipients: { [phone]: fault },
  });
  await harness.send(id);
  const text = await atRest(id);
  const { provider } = await get<FreezeState>('/admin/freeze');
  const { stop } = await batchOf(batch);
  const [sender] = await harness.db.selectFrom('senders').select('slowdowns').execute();
  const queued = async () => {
    const parked = await harness.call({ url: '/internal/parked', as: asService });
    if (parked.json<FailedItems>().items.some((one) => one.id === `text.${id}`))
      return 'failed event';
    if (text.next_attempt_at.toISOString() === midnightPacific) return 'held to midnight Pacific';
    const waitMs = text.next_attempt_at.getTime() - harness.clock.now().getTime();
    expect(waitMs).toBeLessThan(3 * minuteMs);
    return 'again';
  };
  const facts = [
    text.state === 'queued' ? await queued() : `${text.state}`,
    stop && (stop.resumes_at === null ? 'batch stopped' : 'batch cools down'),
    provider && `pause ${provider.next_try_at === midnightUtc ? 'to midnight UTC' : ''}`.trim(),
    sender!.slowdowns > 0 && 'sender slowed',
  ];
  return facts.filter(Boolean).join(', ');
}
const midnightUtc = '2027-03-10T00:00:00.000Z';

const fails = ['refused', 'failed'] as const;
const stops = ['refused, batch stopped', 'failed, batch stopped'] as const;
const pauses = ['again, pause', 'failed, pause'] as const;
const bug = ['failed event', 'failed'] as const;

/** What each code does in the response to a send, and in a receipt. */
const codes: Record<string, readonly [sync: string, async: string]> = {
  '10001': pauses,
  '10002': fails,
  '10004': bug,
  '10007': ['unknown', 'failed'],
  '10009': pauses,
  '10010': pauses,
  // Contradicts the receipt that it was sent.
  '10011': ['again', 'failed'],
  '10015': bug,
  '10016': fails,
  '20002': pauses,
  '20012': pauses,
  '20013': pauses,
  '20100': pauses,
  '40001': fails,
  '40002': ['refused, batch cools down', 'failed, batch cools down'],
  '40003': stops,
  '40004': fails,
  '40005': fails,
  '40006': fails,
  '40008': fails,
  '40009': fails,
  '40010': pauses,
  '40011': ['again, sender slowed', 'again, sender slowed'],
  '40012': fails,
  '40014': ['again', 'again'],
  '40015': stops,
  '40016': ['held to midnight Pacific', 'held to midnight Pacific'],
  '40017': stops,
  '40018': ['again, sender slowed', 'again, sender slowed'],
  '40300': ['skipped', 'failed'],
  '40301': fails,
  '40302': bug,
  '40304': bug,
  '40305': pauses,
  '40306': pauses,
  '40307': pauses,
  '40309': bug,
  '40310': fails,
  '40312': pauses,
  '40314': pauses,
  '40315': pauses,
  '40316': bug,
  '40318': ['again', 'failed'],
  '40320': ['again', 'failed'],
  '40321': pauses,
  '40322': stops,
  '40325': pauses,
  '40328': bug,
  '40329': pauses,
  '40331': pauses,
  '40333': ['again, pause to midnight UTC', 'failed, pause to midnight UTC'],
  // Unknown to the table.
  '49999': fails,
};

describe('an error code', () => {
  let batch: Awaited<ReturnType<typeof aBatch>>;
  beforeAll(async () => {
    // Only a batch with a rest can be stopped.
    batch = await aBatch(2 * Object.keys(codes).length + 2);
  });

  it.each(Object.entries(codes))('%s: %s', async (code, [sync, async]) => {
    expect(await whatHappens(batch, { code })).toBe(sync);
    await resumeAll();
    expect(await whatHappens(batch, { code, final: 'delivery_failed' })).toBe(async);
  });

  it('has a rule and is tested, and the page shows its meaning, action and count', async () => {
    const listed = await get<ProviderError[]>('/admin/sms-system/errors');
    expect([...new Set(listed.map((one) => one.code))].toSorted()).toEqual(Object.keys(codes));
    for (const one of listed) expect(one.meaning).not.toContain('Error');
    const counted = (code: string) =>
      listed.filter((one) => one.code === code).map(({ texts }) => texts);
    expect(counted('40310')).toEqual([2]);
    expect(counted('40300')).toEqual([1, 1]);
    expect(counted('49999')).toEqual([1, 1]);
  });

  it('40300 without STOP in its title is no opt-out', async () => {
    expect(await whatHappens(batch, { code: '40300', title: 'Blocked by a rule' })).toBe('refused');
  });

  it('that needs attention is alerted once, and so is an unknown one', async () => {
    await harness.db.deleteFrom('alert_times').execute();
    const settings = { email: 'ops@example.com', failure_threshold: 100, enabled: true };
    await admin.post('/admin/settings/alert-email', settings);
    await sendAlerts(harness.deps);
    await sendAlerts(harness.deps);
    await admin.post('/admin/settings/alert-email', { ...settings, enabled: false });
    const mails = await harness.db.selectFrom('mails').selectAll().execute();
    expect(mails).toHaveLength(1);
    expect(mails[0]!.subject.match(/\d{5}/g)).toEqual([
      ...['10004', '10015', '40002', '40003', '40015', '40017', '40302', '40304'],
      ...['40309', '40316', '40322', '40328', '49999'],
    ]);
  });
});

describe('a text that the provider returns unsent', () => {
  it('is sent again and delivered once, with its own key', async () => {
    await harness.sandbox.faults({ telnyx: { honour_idempotency_key: true } });
    const { texts } = await aBatch(1);
    const { id, phone } = texts[0]!;
    await harness.sandbox.faults({
      recipients: { [phone]: { code: '40014', final: 'expired', times: 1 } },
    });
    await harness.send(id);
    await harness.reaches(id, 'queued');
    await inMinutes(3);
    await harness.send(id);
    await harness.reaches(id, 'delivered');
    expect((await harness.sandbox.texts(phone)).map(({ status }) => status)).toEqual([
      'expired',
      'delivered',
    ]);
  });

  it('is not sent again after its window, nor endlessly', async () => {
    const late = await aQueuedText(harness);
    await harness.sandbox.faults({
      webhook: { drop: 1 },
      recipients: { [late.recipient.phone]: { code: '40014', final: 'expired' } },
    });
    await harness.send(late.id);
    await inMinutes(61);
    await reconcile(harness.deps);
    expect(await harness.text(late.id)).toMatchObject({ state: 'failed', error_code: '40014' });
    await harness.sandbox.faults({ reset: true });
    const { texts } = await aBatch(1);
    const { id, phone } = texts[0]!;
    await dial(phone, { code: '40014', final: 'expired' });
    for (let sends = 1; sends <= 4; sends += 1) {
      await harness.send(id);
      await atRest(id);
      await inMinutes(3);
    }
    expect((await harness.text(id)).state).toBe('failed');
    expect(await sentTo(phone)).toBe(4);
  });

  it('stays the later send’s when receipts of the first arrive late', async () => {
    const { texts } = await aBatch(1);
    const { id, phone } = texts[0]!;
    await dial(phone, { code: '40014', final: 'expired', times: 1 });
    await harness.send(id);
    await harness.reaches(id, 'queued');
    const [first] = await harness.sandbox.texts(phone);
    const deliver = async (status: string, code?: string) => {
      const body = receipt({ status, provider_id: first!.id, to: phone, ...(code && { code }) });
      const url = `/webhooks/telnyx/${id}`;
      const { statusCode } = await harness.call({
        method: 'POST',
        url,
        body,
        headers: signed(body),
      });
      expect(statusCode).toBe(200);
    };
    await deliver('sent');
    expect((await harness.text(id)).state).toBe('queued');
    await inMinutes(3);
    await harness.send(id);
    await harness.reaches(id, 'delivered');
    await deliver('delivery_failed', '40014');
    expect((await harness.text(id)).state).toBe('delivered');
    expect(await sentTo(phone)).toBe(2);
  });

  it('after it has left the provider’s queue is not sent again', async () => {
    const { texts } = await aBatch(1);
    const { id, phone } = texts[0]!;
    await harness.sandbox.faults({ webhook: { drop: 1 } });
    await harness.send(id);
    const { provider_id } = await harness.text(id);
    for (const [status, code] of [['sent'], ['expired', '40014']] as const) {
      const body = receipt({ status, provider_id: provider_id!, to: phone, ...(code && { code }) });
      const url = `/webhooks/telnyx/${id}`;
      await harness.call({ method: 'POST', url, body, headers: signed(body) });
    }
    expect(await harness.text(id)).toMatchObject({ state: 'failed', error_code: '40014' });
  });

  it('after a lookup found it sent is not sent again', async () => {
    // The sandbox leaves texts to this number sent.
    const phone = '+13123000004';
    const { id } = await aQueuedText(harness, { recipient: { phone } });
    await harness.sandbox.faults({ webhook: { drop: 1 } });
    await harness.send(id);
    await inMinutes(16);
    await reconcile(harness.deps);
    const { state, provider_id } = await harness.text(id);
    expect(state).toBe('sent');
    const body = receipt({
      status: 'expired',
      code: '40014',
      provider_id: provider_id!,
      to: phone,
    });
    const url = `/webhooks/telnyx/${id}`;
    await harness.call({ method: 'POST', url, body, headers: signed(body) });
    expect(await harness.text(id)).toMatchObject({ state: 'failed', error_code: '40014' });
  });

  it('and yet reports as delivered is not sent again', async () => {
    const { texts } = await aBatch(1);
    const { id, phone } = texts[0]!;
    await dial(phone, { code: '40016', final: 'delivery_failed' });
    await harness.send(id);
    await harness.reaches(id, 'queued');
    const [first] = await harness.sandbox.texts(phone);
    const body = receipt({ status: 'delivered', provider_id: first!.id, to: phone });
    const url = `/webhooks/telnyx/${id}`;
    await harness.call({ method: 'POST', url, body, headers: signed(body) });
    expect((await harness.text(id)).state).toBe('delivered');
  });

  it('over T-Mobile’s daily limit is missed if its window closes first, unless reported as delivered', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await dial(recipient.phone, { code: '40016', final: 'delivery_failed' });
    await harness.send(id);
    await harness.reaches(id, 'queued');
    await inMinutes(61);
    await endMissed(harness.db, harness.clock.now());
    expect(await harness.text(id)).toMatchObject({ state: 'missed', reason: 'carrier_40016' });
    const [first] = await harness.sandbox.texts(recipient.phone);
    const body = receipt({ status: 'delivered', provider_id: first!.id, to: recipient.phone });
    const url = `/webhooks/telnyx/${id}`;
    await harness.call({ method: 'POST', url, body, headers: signed(body) });
    expect((await harness.text(id)).state).toBe('delivered');
  });
});

it('a late receipt of a text sent before sending resumed pauses nothing', async () => {
  await harness.sandbox.faults({ webhook: { drop: 1 } });
  const { id, recipient } = await aQueuedText(harness);
  await harness.send(id);
  await inMinutes(1);
  await resumeSending(harness.db, harness.clock.now());
  const { provider_id } = await harness.text(id);
  const body = receipt({
    status: 'delivery_failed',
    provider_id: provider_id!,
    to: recipient.phone,
    code: '40010',
  });
  const url = `/webhooks/telnyx/${id}`;
  await harness.call({ method: 'POST', url, body, headers: signed(body) });
  expect((await harness.text(id)).state).toBe('failed');
  expect((await get<FreezeState>('/admin/freeze')).provider).toBeNull();
});

describe('a batch that a carrier blocks', () => {
  it('holds its rest until an operator resumes it, and other batches go out', async () => {
    const { id, texts } = await aBatch(3);
    const other = await aQueuedText(harness);
    await dial(texts[0]!.phone, { code: '40003', final: 'delivery_failed' });
    await harness.send(texts[0]!.id);
    await harness.reaches(texts[0]!.id, 'failed');
    await harness.sendAllDue();
    for (const { phone } of texts.slice(1)) expect(await sentTo(phone)).toBe(0);
    expect(await sentTo(other.recipient.phone)).toBe(1);
    expect(await batchOf(id)).toMatchObject({
      status: 'stopped',
      stop: { reason: 'A carrier blocked it as spam. (Error 40003.)', resumes_at: null },
    });
    const path = `/admin/sms-batches/${id}/resume`;
    expect((await admin.post(path, {}, 'viewer')).statusCode).toBe(403);
    expect((await admin.post(path, {})).statusCode).toBe(200);
    expect((await admin.post(path, {})).statusCode).toBe(409);
    await harness.sendAllDue();
    for (const { phone } of texts.slice(1)) expect(await sentTo(phone)).toBe(1);
    expect(await admin.adminActions()).toContainEqual(
      expect.objectContaining({ action: 'batch.resumed', target: id }),
    );
  });

  it('lets an operator cancel its rest, and other batches go out', async () => {
    const { id, texts } = await aBatch(3);
    const other = await aQueuedText(harness);
    const path = `/admin/sms-batches/${id}/cancel`;
    expect((await admin.post(path, {})).statusCode).toBe(409);
    await dial(texts[0]!.phone, { code: '40003', final: 'delivery_failed' });
    await harness.send(texts[0]!.id);
    await harness.reaches(texts[0]!.id, 'failed');
    expect((await admin.post(path, {}, 'viewer')).statusCode).toBe(403);
    expect((await admin.post(path, {})).statusCode).toBe(200);
    expect((await admin.post(path, {})).statusCode).toBe(409);
    expect((await admin.post(`/admin/sms-batches/${id}/resume`, {})).statusCode).toBe(409);
    // Joins the batch later, as texts that waited for the morning do.
    const late = await aSubscriber(harness);
    const joining = aDispatch(late, harness);
    await release(harness, [joining], { id });
    await harness.sendAllDue();
    for (const { phone } of [...texts.slice(1), late]) expect(await sentTo(phone)).toBe(0);
    expect(await sentTo(other.recipient.phone)).toBe(1);
    expect(await batchOf(id)).toMatchObject({ failed_jobs: 1, skipped_jobs: 3, stop: null });
    const settled = (await harness.settled()).filter(({ reason }) => reason === 'batch_canceled');
    expect(settled.map(({ dispatch_id }) => dispatch_id).toSorted()).toEqual(
      [...texts.slice(1).map((text) => text.id), joining.dispatch_id].toSorted(),
    );
    expect(await admin.adminActions()).toContainEqual(
      expect.objectContaining({ action: 'batch.canceled', target: id }),
    );
  });

  it('lets a resumed text go out that had been retried before', async () => {
    const { id, texts } = await aBatch(2);
    await dial(texts[1]!.phone, { code: '40318', times: 1 });
    await harness.send(texts[1]!.id);
    await harness.reaches(texts[1]!.id, 'queued');
    await dial(texts[0]!.phone, { code: '40003', final: 'delivery_failed' });
    await harness.send(texts[0]!.id);
    await harness.reaches(texts[0]!.id, 'failed');
    await inMinutes(5);
    await harness.sendAllDue();
    expect(await sentTo(texts[1]!.phone)).toBe(0);
    await admin.post(`/admin/sms-batches/${id}/resume`, {});
    await harness.sendAllDue();
    expect(await sentTo(texts[1]!.phone)).toBe(1);
  });

  it('for a while continues by itself after 15 minutes, and is no longer canceled then', async () => {
    const { id, texts } = await aBatch(2);
    await dial(texts[0]!.phone, { code: '40002', final: 'delivery_failed' });
    await harness.send(texts[0]!.id);
    await harness.reaches(texts[0]!.id, 'failed');
    await inMinutes(14);
    await harness.sendAllDue();
    expect(await sentTo(texts[1]!.phone)).toBe(0);
    await inMinutes(2);
    expect((await admin.post(`/admin/sms-batches/${id}/cancel`, {})).statusCode).toBe(409);
    await harness.sendAllDue();
    expect(await sentTo(texts[1]!.phone)).toBe(1);
  });
});

it('a text that the provider refuses because of our request is sent when an admin retries it', async () => {
  const { texts } = await aBatch(1);
  const { id, phone } = texts[0]!;
  await dial(phone, { code: '10015', times: 1 });
  await harness.send(id);
  await inMinutes(30);
  await harness.sendAllDue();
  expect(await sentTo(phone)).toBe(0);
  expect((await admin.post(`/admin/parked/sms-gateway/text.${id}/replay`, {})).statusCode).toBe(
    200,
  );
  await harness.sendAllDue();
  expect(await sentTo(phone)).toBe(1);
});

it('a reset of a kept connection before any response is looked up within seconds', async () => {
  const { texts } = await aBatch(2);
  await harness.send(texts[0]!.id);
  await harness.sandbox.faults({
    webhook: { drop: 1 },
    accept_then_drop: { telnyx: 1, stripe: 0 },
  });
  const { id, phone } = texts[1]!;
  expect(await harness.send(id)).toBe('unknown');
  expect(await harness.text(id)).toMatchObject({ reason: 'connection_reset' });
  await harness.sandbox.faults({ accept_then_drop: 0 });
  await harness.moveTo(new Date(harness.clock.now().getTime() + 6_000));
  await reconcile(harness.deps);
  await harness.reaches(id, 'delivered');
  expect(await sentTo(phone)).toBe(1);
});

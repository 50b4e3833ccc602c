import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminAction } from '@daylift/contracts/admin-action';
import type { FreezeState, LiftPreview } from '@daylift/contracts/freeze.http';
import type { SmsBatch } from '@daylift/contracts/sms.http';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aDispatch,
  aQueuedText,
  aSubscriber,
  asAdmin,
  asUser,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { receipt } from '../../test/receipts.ts';
import { signed } from '../../test/sandbox.ts';
import { foldCounts } from '../batches/fold-counts.ts';
import { nextProbe, probeSending } from '../probes/probe-sending.ts';
import { takeTextsToEnqueue } from '../queue/queue.repository.ts';
import { readDueTexts } from '../texts/due-texts.repository.ts';
import { endAbandoned, endMissed } from '../texts/results.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const operator = asAdmin('operator');
const post = async <T = FreezeState>(url: string, body: object = {}, as = operator) => {
  const response = await harness.call({
    method: 'POST',
    url,
    as,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: response.statusCode, body: response.json() as T };
};
const freeze = (reason?: string) => post('/admin/freeze', { ...(reason && { reason }) });
const lift = (missed: 'catch_up' | 'skip', more: object = {}) =>
  post('/admin/freeze/lift', { missed, ...more });
const read = async (): Promise<FreezeState> =>
  (await harness.call({ url: '/admin/freeze', as: asAdmin('viewer') })).json();
const adminActions = async () =>
  (await harness.published<AdminAction>('sms.admin.acted')).map(({ action }) => action);
const minutes = (count: number) => new Date(harness.clock.now().getTime() + count * 60_000);
const window = (from: number, until: number) => ({
  opens_at: minutes(from).toISOString(),
  closes_at: minutes(until).toISOString(),
});
const settledOf = async (id: string) =>
  (await harness.settled())
    .filter(({ dispatch_id }) => dispatch_id === id)
    .map(({ outcome, reason }) => ({ outcome, reason }));

beforeEach(async () => {
  // Other tests' waiting texts would be counted here.
  await harness.db.deleteFrom('texts').execute();
  await harness.db.deleteFrom('outbox').execute();
});
afterEach(async () => {
  await harness.sandbox.faults({ reset: true });
  await lift('catch_up');
});

describe('a freeze', () => {
  it('blocks texts of every kind, and abandons none', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await freeze();
    const stranger = recipientFacts({ consent: 'pending' });
    const newcomer = recipientFacts();
    for (const facts of [stranger, newcomer]) {
      await harness.receive('accounts.recipient.changed', facts);
      await harness.receive('billing.subscription.changed', entitlement(facts.user_id));
    }
    await harness.receive('accounts.code.requested', {
      request_id: crypto.randomUUID(),
      user_id: newcomer.user_id,
      expires_at: minutes(10).toISOString(),
    });
    await harness.sandbox.reply(recipient.phone, 'HELP');
    const waiting = await eventually(async () => {
      const rows = await harness.db.selectFrom('texts').select(['id', 'kind']).execute();
      return rows.length === 5 ? rows : null;
    });
    expect(waiting.map(({ kind }) => kind).toSorted()).toEqual([
      'consent_request',
      'daily',
      'help',
      'one_time_code',
      'welcome',
    ]);
    for (const text of waiting) expect(await harness.send(text.id)).toBe('not_mine');
    for (const { phone } of [recipient, stranger, newcomer])
      expect(await harness.sandbox.texts(phone)).toEqual([]);
    expect(await read()).toMatchObject({ frozen: true, queued: 5, in_flight: 0 });
    await lift('catch_up');
    await harness.sendAllDue();
    expect((await harness.text(id)).state).not.toBe('queued');
    for (const { phone } of [recipient, stranger])
      expect((await harness.sandbox.texts(phone)).length).toBeGreaterThan(0);
    expect(await harness.sandbox.texts(newcomer.phone)).toHaveLength(2);
  });

  it('shows who froze when and why, and is idempotent', async () => {
    await freeze('Wrong words in today’s message');
    const first = await read();
    expect(first).toMatchObject({
      frozen: true,
      by: operator.kind === 'admin' ? operator.username : '',
      reason: 'Wrong words in today’s message',
    });
    const again = await Promise.all([freeze(), freeze('Another'), freeze()]);
    for (const { status, body } of again) {
      expect(status).toBe(200);
      expect(body).toEqual(first);
    }
    await Promise.all([lift('catch_up'), lift('skip'), lift('catch_up')]);
    expect(await read()).toMatchObject({ frozen: false, since: null, by: null, reason: null });
    expect(await adminActions()).toEqual(['sending.frozen', 'sending.started_again']);
  });

  /** Starts a send that waits for its slot until `turn` is resolved. */
  async function sendUpToTheLimiter(id: string) {
    const turn = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const take = async () => {
      asked.resolve();
      await turn.promise;
      return harness.deps.limiter.take([harness.deps.accountLimits]);
    };
    const sending = harness.send(id, { limiter: { ...harness.deps.limiter, take } });
    await asked.promise;
    return { sending, turn };
  }

  it('keeps a text queued if its worker is waiting for its turn', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const before = await harness.text(id);
    const { sending, turn } = await sendUpToTheLimiter(id);
    await freeze();
    turn.resolve();
    expect(await sending).toBe('not_mine');
    expect(await harness.text(id)).toMatchObject({
      state: 'queued',
      attempts: 0,
      next_attempt_at: before.next_attempt_at,
    });
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  it('holds even if it was lifted and frozen again while a worker waited', async () => {
    const { id } = await aQueuedText(harness);
    const { sending, turn } = await sendUpToTheLimiter(id);
    await freeze();
    await lift('skip');
    turn.resolve();
    expect(await sending).toBe('ended');
    expect(await settledOf(id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
  });

  /** Starts a send that has decided, and blocks it from marking its text until released. */
  async function sendUpToTheMark(id: string) {
    const release = Promise.withResolvers<void>();
    let holding: Promise<unknown> = Promise.resolve();
    const take = async () => {
      const held = Promise.withResolvers<void>();
      holding = harness.db.transaction().execute(async (trx) => {
        await trx.selectFrom('texts').select('id').where('id', '=', id).forUpdate().execute();
        held.resolve();
        await release.promise;
      });
      await held.promise;
      return harness.deps.limiter.take([harness.deps.accountLimits]);
    };
    const sending = harness.send(id, { limiter: { ...harness.deps.limiter, take } });
    await eventually(async () => {
      const waiting = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
        and query like '%with wanted as%' and datname = current_database()`.execute(harness.db);
      return waiting.rows.length > 0;
    });
    return {
      release: async () => {
        release.resolve();
        await holding;
        return sending;
      },
    };
  }

  it("isn't bypassed by a call decided before it that runs a second later", async () => {
    const { id, recipient } = await aQueuedText(harness);
    const { release } = await sendUpToTheMark(id);
    expect((await freeze()).body.frozen).toBe(true);
    const answered = Date.now();
    await eventually(() => Date.now() - answered > 1_000);
    expect(await release()).toBe('unsent');
    expect(await harness.text(id)).toMatchObject({ state: 'queued', reason: 'held_up' });
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  it('includes texts about to be sent at that moment in its response', async () => {
    const { id } = await aQueuedText(harness);
    await harness.sandbox.faults({ latency_ms: { telnyx: 1_000 } });
    const { release } = await sendUpToTheMark(id);
    const freezing = freeze();
    await eventually(async () => (await read()).frozen);
    const sending = release();
    expect((await freezing).body.in_flight).toBe(1);
    expect(await sending).toBe('accepted');
  });

  it('shows texts already sent to the provider', async () => {
    const { id } = await aQueuedText(harness);
    await harness.sandbox.faults({ latency_ms: { telnyx: 1_000 } });
    const sending = harness.send(id);
    await harness.reaches(id, 'inflight');
    expect((await freeze()).body).toMatchObject({ in_flight: 1, unknown: 0 });
    expect(await sending).toBe('accepted');
    expect(await read()).toMatchObject({ in_flight: 0, unknown: 0 });
  });

  it('shows in-flight texts whose outcome is unknown', async () => {
    const { id } = await aQueuedText(harness);
    await harness.sandbox.faults({
      accept_then_drop: { telnyx: 1 },
      latency_ms: { telnyx: 500 },
      telnyx: { sent_after_ms: 60_000, finalized_after_ms: 60_000 },
    });
    const sending = harness.send(id);
    await harness.reaches(id, 'inflight');
    await freeze();
    expect(await sending).toBe('unknown');
    expect(await read()).toMatchObject({ in_flight: 0, unknown: 1 });
  });

  it('also blocks probes and the queue buttons', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.sandbox.faults({ error: { telnyx: { rate: 1, code: '20100' } } });
    expect(await harness.send(id)).toBe('account');
    await harness.sandbox.faults({ reset: true });
    await freeze();
    await harness.moveTo(minutes(2));
    expect(await probeSending(harness.deps)).toBe(0);
    expect(await nextProbe(harness.deps)).toBeNull();
    for (const url of ['/admin/send-pause/try', '/admin/scheduler/process-queue'])
      expect(await post(url)).toMatchObject({ status: 409, body: { code: 'SENDING_FROZEN' } });
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    await lift('catch_up');
    expect(await probeSending(harness.deps)).toBe(1);
    expect((await read()).provider).toBeNull();
  });

  it('can be started and lifted by operators, and seen by every admin', async () => {
    const viewer = asAdmin('viewer');
    for (const url of ['/admin/freeze', '/admin/freeze/lift', '/admin/send-pause/try']) {
      expect((await post(url, { missed: 'skip' }, viewer)).status).toBe(403);
      expect((await post(url, {}, asUser(crypto.randomUUID()))).status).toBe(403);
    }
    for (const url of ['/admin/freeze', '/admin/freeze/lift-preview']) {
      expect((await harness.call({ url, as: viewer })).statusCode).toBe(200);
      expect((await harness.call({ url })).statusCode).toBe(401);
    }
    expect((await post('/admin/freeze', { reason: 'x'.repeat(201) })).status).toBe(400);
    expect((await post('/admin/freeze/lift', { missed: 'both' })).status).toBe(400);
    expect((await read()).frozen).toBe(false);
  });
});

describe('texts that expire while sending is frozen', () => {
  it("are missed because of the freeze, even if it's lifted before the next check", async () => {
    const seen = await aQueuedText(harness, { dispatch: { windows: [window(0, 30)] } });
    const unseen = await aQueuedText(harness, { dispatch: { windows: [window(0, 60)] } });
    const later = await aQueuedText(harness, { dispatch: { windows: [window(0, 120)] } });
    await freeze();
    await harness.moveTo(minutes(40));
    expect(await endMissed(harness.db, harness.clock.now())).toBe(1);
    expect(await read()).toMatchObject({ queued: 2, missed_meanwhile: 1 });
    await harness.moveTo(minutes(30));
    await lift('catch_up');
    expect(await harness.send(unseen.id)).toBe('ended');
    for (const { id } of [seen, unseen])
      expect(await settledOf(id)).toEqual([{ outcome: 'missed', reason: 'frozen' }]);
    const missed = { total_jobs: 1, failed_jobs: 0, missed_jobs: 1, failure_rate: 0 };
    for (const fold of [() => 0, foldCounts]) {
      await fold(harness.db, harness.clock.now());
      const batches = await harness.call({ url: '/admin/sms-batches?limit=3', as: asAdmin() });
      for (const { batch } of [seen, unseen])
        expect(batches.json()).toContainEqual(expect.objectContaining({ id: batch.id, ...missed }));
    }
    await harness.moveTo(minutes(60));
    await endMissed(harness.db, harness.clock.now());
    expect(await settledOf(later.id)).toEqual([{ outcome: 'missed', reason: 'windows_closed' }]);
  });
});

describe('resuming', () => {
  it('with catch-up sends everything still in its window once, and keeps what waits for the morning', async () => {
    await freeze();
    const due = await aQueuedText(harness, { dispatch: { windows: [window(0, 60)] } });
    const morning = await aQueuedText(harness, {
      dispatch: { windows: [window(0, 10), window(90, 150)] },
    });
    await harness.moveTo(minutes(20));
    expect(await read()).toMatchObject({ queued: 2, due_meanwhile: 2, missed_meanwhile: 0 });
    await lift('catch_up');
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(due.recipient.phone)).toHaveLength(1);
    expect(await harness.sandbox.texts(morning.recipient.phone)).toEqual([]);
    await harness.moveTo(minutes(80));
    await harness.sendAllDue();
    for (const { recipient } of [due, morning])
      expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('with skip abandons everything due and sends everything later', async () => {
    await freeze();
    const due = await aQueuedText(harness);
    const dueAlso = await aQueuedText(harness);
    const later = await aQueuedText(harness, { dispatch: { windows: [window(15, 60)] } });
    const newcomer = recipientFacts();
    await harness.receive('accounts.recipient.changed', newcomer);
    await harness.receive('billing.subscription.changed', entitlement(newcomer.user_id));
    await lift('skip');
    const taken = await takeTextsToEnqueue(harness.db, {
      now: harness.clock.now(),
      wall: new Date(),
      again: true,
      limit: 10,
    });
    // Only the welcome: abandoned texts don't block it.
    expect(taken).toHaveLength(1);
    expect(await harness.send(due.id)).toBe('ended');
    expect(await endAbandoned(harness.db, harness.clock.now())).toBe(1);
    for (const { id, recipient } of [due, dueAlso]) {
      expect(await settledOf(id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
      expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    }
    const batches = await harness.call({ url: '/admin/sms-batches?limit=3', as: asAdmin() });
    const counts = (one: SmsBatch) => [
      one.total_jobs,
      one.skipped_jobs,
      one.failed_jobs,
      one.failure_rate,
    ];
    expect(batches.json<SmsBatch[]>().map(counts).toSorted()).toEqual([
      [1, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 1, 0, 0],
    ]);
    await harness.moveTo(minutes(16));
    const fresh = await aQueuedText(harness);
    await harness.sendAllDue();
    for (const { phone } of [later.recipient, newcomer, fresh.recipient])
      expect(await harness.sandbox.texts(phone)).toHaveLength(1);
  });

  it('with skip also abandons texts released late', async () => {
    await freeze();
    const due_at = harness.clock.now().toISOString();
    await harness.moveTo(minutes(1));
    await lift('skip');
    const { id, recipient } = await aQueuedText(harness, {
      dispatch: { due_at, windows: [window(-1, 60)] },
    });
    expect(await harness.send(id)).toBe('ended');
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  it('with skip also abandons texts waiting for a retry', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.sandbox.faults({
      error: { telnyx: { rate: 1, code: '40318', retry_after: 60 } },
    });
    expect(await harness.send(id)).toBe('unsent');
    await harness.sandbox.faults({ reset: true });
    await freeze();
    await lift('skip');
    expect(await endAbandoned(harness.db, harness.clock.now())).toBe(1);
    await harness.moveTo(minutes(3));
    await harness.sendAllDue();
    expect(await settledOf(id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  /** Freezes and resumes with skip during an attempt that then fails. */
  async function failAfterSkip(id: string) {
    await harness.sandbox.faults({
      error: { telnyx: { rate: 1, code: '40318', retry_after: 60 } },
      latency_ms: { telnyx: 1_000 },
    });
    const sending = harness.send(id);
    await harness.reaches(id, 'inflight');
    await freeze();
    await lift('skip');
    expect(await sending).toBe('unsent');
    await harness.sandbox.faults({ reset: true });
  }

  it('with skip also abandons a text whose attempt fails after the lift', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await failAfterSkip(id);
    expect(await endAbandoned(harness.db, harness.clock.now())).toBe(1);
    await harness.moveTo(minutes(3));
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    expect(await settledOf(id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
  });

  it('with skip ends texts as skipped even if their windows close first', async () => {
    const { id } = await aQueuedText(harness);
    const due = await aQueuedText(harness);
    await failAfterSkip(id);
    await harness.moveTo(minutes(90));
    expect(await endMissed(harness.db, harness.clock.now())).toBe(2);
    for (const text of [id, due.id])
      expect(await settledOf(text)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
  });

  it('with skip waits for no text', async () => {
    const { id } = await aHeldText([window(0, 60)]);
    await freeze();
    await harness.db.transaction().execute(async (trx) => {
      await trx.selectFrom('texts').select('id').where('id', '=', id).forUpdate().execute();
      expect((await lift('skip')).body.frozen).toBe(false);
    });
    expect(await endAbandoned(harness.db, harness.clock.now())).toBe(1);
    expect(await settledOf(id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
  });

  /** The provider returns its first text to this number unsent. */
  async function returnFirst(id: string, { phone }: { phone: string }) {
    const [first] = await harness.sandbox.texts(phone);
    const body = receipt({ status: 'expired', code: '40014', provider_id: first!.id, to: phone });
    const url = `/webhooks/telnyx/${id}`;
    await harness.call({ method: 'POST', url, body, headers: signed(body) });
  }

  it('with skip still retries a text that was accepted before and is returned later', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.sandbox.faults({ webhook: { drop: 1 } });
    expect(await harness.send(id)).toBe('accepted');
    await freeze();
    await lift('skip');
    await returnFirst(id, recipient);
    await harness.moveTo(minutes(3));
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(2);
  });

  it('with skip still sends a transactional text that the provider returned before the freeze', async () => {
    const newcomer = recipientFacts();
    await harness.receive('accounts.recipient.changed', newcomer);
    await harness.receive('billing.subscription.changed', entitlement(newcomer.user_id));
    await harness.sandbox.faults({ webhook: { drop: 1 } });
    await harness.sendAllDue();
    const { id } = await harness.db.selectFrom('texts').select('id').executeTakeFirstOrThrow();
    await returnFirst(id, newcomer);
    await freeze();
    await harness.moveTo(minutes(1));
    await lift('skip');
    await endAbandoned(harness.db, harness.clock.now());
    await harness.moveTo(minutes(3));
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(newcomer.phone)).toHaveLength(2);
  });

  /** Queues a batch of two, sends the first and holds the second for an operator. */
  async function aHeldText(windows: ReturnType<typeof window>[]) {
    const [first, recipient] = [await aSubscriber(harness), await aSubscriber(harness)];
    const dispatches = [first, recipient].map((one) => aDispatch(one, harness, { windows }));
    const batch = await release(harness, dispatches);
    await harness.sandbox.faults({ recipients: { [first.phone]: { code: '40322' } } });
    expect(await harness.send(dispatches[0]!.dispatch_id)).toBe('refused');
    const id = dispatches[1]!.dispatch_id;
    expect(await harness.send(id)).toBe('waits');
    return { id, recipient, batch };
  }

  it('between two windows, with skip, abandons held texts and keeps those that wait for the next one', async () => {
    const held = await aHeldText([window(0, 10), window(30, 90)]);
    const waiting = await aQueuedText(harness, {
      dispatch: { windows: [window(-60, 1), window(30, 90)] },
    });
    await harness.sandbox.faults({ recipients: { [waiting.recipient.phone]: { code: '40318' } } });
    expect(await harness.send(waiting.id)).toBe('unsent');
    await harness.moveTo(minutes(2));
    expect(await harness.send(waiting.id)).toBe('waits');
    await freeze();
    await harness.moveTo(minutes(20));
    await lift('skip');
    expect((await post(`/admin/sms-batches/${held.batch.id}/resume`)).status).toBe(200);
    await harness.moveTo(minutes(15));
    await harness.sandbox.faults({
      error: { telnyx: { rate: 1, code: '40318', retry_after: 60 } },
    });
    await harness.sendAllDue();
    await harness.sandbox.faults({ reset: true });
    await harness.moveTo(minutes(3));
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(held.recipient.phone)).toEqual([]);
    expect(await settledOf(held.id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
    expect(await harness.sandbox.texts(waiting.recipient.phone)).toHaveLength(1);
  });

  /** Ends all abandoned texts and returns how many. */
  async function endAllAbandoned(): Promise<number> {
    let all = 0;
    for (let ended = 1; ended > 0; all += ended)
      ended = await endAbandoned(harness.db, harness.clock.now());
    return all;
  }

  it('with skip abandons very many texts in steps', async () => {
    const expected = 1_100;
    const dispatches = Array.from({ length: expected }, () => aDispatch(recipientFacts(), harness));
    const created_at = harness.clock.now().toISOString();
    const batch = { id: crypto.randomUUID(), kind: 'scheduled', name: 'Daily texts', created_at };
    for (let first = 0; first < expected; first += 50) {
      const part = dispatches.slice(first, first + 50);
      await harness.receive('scheduler.dispatches.released', { batch, dispatches: part, expected });
    }
    await freeze();
    await lift('skip');
    expect(await endAllAbandoned()).toBe(expected);
  });

  it('keeps the fence of a restored database; skip abandons what may have been sent before', async () => {
    const fence = join(import.meta.dirname, '../../../../k8s/components/postgres/fence.sql');
    const { id, recipient } = await aQueuedText(harness);
    await sql.raw(readFileSync(fence, 'utf8')).execute(harness.db);
    expect(await read()).toMatchObject({ frozen: true, by: 'restore' });
    expect(await harness.send(id)).toBe('not_mine');
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    await lift('skip');
    expect(await harness.send(id)).toBe('ended');
    expect(await settledOf(id)).toEqual([{ outcome: 'skipped', reason: 'frozen_skipped' }]);
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  it('previews how many would be sent, the cost, and how many in quiet hours, later or never', async () => {
    await freeze();
    // 10:00 in New York; midnight in Tokyo, in an hour that a subscriber chose.
    await aQueuedText(harness, { dispatch: { content: 'x'.repeat(200) } });
    await aQueuedText(harness);
    await aQueuedText(harness, { recipient: { timezone: 'Asia/Tokyo', delivery_hour: 0 } });
    await aQueuedText(harness, { dispatch: { windows: [window(-60, -1), window(60, 120)] } });
    await aQueuedText(harness, { dispatch: { windows: [window(-60, -1)] } });
    const response = await harness.call({
      url: '/admin/freeze/lift-preview',
      as: asAdmin('viewer'),
    });
    expect(response.json()).toEqual({
      catch_up: 3,
      skip: 4,
      is_estimate: false,
      estimated_cost: expect.stringMatching(/^0\.0\d+$/),
      currency: 'USD',
      drain_seconds: 1,
      at_night: 1,
      in_the_morning: 1,
      too_late: 1,
      own_texts: 0,
    });
    const price = Number(response.json().estimated_cost) / 4;
    expect([0.004, 0.007]).toContain(Math.round(price * 1e5) / 1e5);
  });

  it('previews how many skip would abandon, including postponed texts', async () => {
    const retried = await aQueuedText(harness);
    await harness.sandbox.faults({
      error: { telnyx: { rate: 1, code: '40318', retry_after: 60 } },
    });
    expect(await harness.send(retried.id)).toBe('unsent');
    await harness.sandbox.faults({ reset: true });
    await aHeldText([window(0, 60)]);
    await aQueuedText(harness);
    await aQueuedText(harness, { dispatch: { windows: [window(-60, -1), window(60, 120)] } });
    const waiting = await aQueuedText(harness, {
      dispatch: { windows: [window(-60, -1), window(30, 90)] },
    });
    expect(await harness.send(waiting.id)).toBe('waits');
    await aQueuedText(harness, { dispatch: { windows: [window(15, 60)] } });
    await freeze();
    const response = await harness.call({
      url: '/admin/freeze/lift-preview',
      as: asAdmin('viewer'),
    });
    expect(response.json<LiftPreview>()).toMatchObject({ catch_up: 1, in_the_morning: 1, skip: 4 });
    await lift('skip');
    expect(await endAllAbandoned()).toBe(4);
  });

  it('previews none of the texts that an earlier lift abandoned', async () => {
    await aHeldText([window(0, 60)]);
    await aQueuedText(harness);
    await aQueuedText(harness, { dispatch: { windows: [window(-60, -1)] } });
    await freeze();
    await lift('skip');
    await harness.moveTo(minutes(1));
    await freeze();
    await aQueuedText(harness);
    const response = await harness.call({
      url: '/admin/freeze/lift-preview',
      as: asAdmin('viewer'),
    });
    expect(response.json<LiftPreview>()).toMatchObject({ catch_up: 1, skip: 1, too_late: 0 });
    await lift('catch_up');
    await harness.sendAllDue();
    await endAllAbandoned();
    const ends = (await harness.settled()).filter(({ reason }) => reason === 'frozen_skipped');
    expect(ends).toHaveLength(3);
  });

  it('previews very many texts by a sample', async () => {
    await freeze();
    const waiting = 12_000;
    const windows = JSON.stringify([window(-60, 60)]);
    await sql`insert into texts (id, local_date, kind, user_id, batch_id, content, windows, deadline_at, slot,
        next_attempt_at, created_at)
      select '20270309-' || md5(n::text), '2027-03-09', 'daily', gen_random_uuid(), ${crypto.randomUUID()}::uuid,
        'Breathe.', ${windows}::jsonb, ${minutes(60)}::timestamptz,
        jsonb_build_object('timezone', case when n % 4 = 0 then 'Asia/Tokyo' else 'America/New_York' end),
        ${minutes(0)}::timestamptz, ${minutes(0)}::timestamptz
      from generate_series(1, ${waiting}::integer) as n`.execute(harness.db);
    const response = await harness.call({
      url: '/admin/freeze/lift-preview',
      as: asAdmin('viewer'),
    });
    const preview = response.json<LiftPreview>();
    expect(preview).toMatchObject({ is_estimate: true, too_late: 0, in_the_morning: 0 });
    expect(Math.abs(preview.catch_up / waiting - 1)).toBeLessThan(0.05);
    expect(Math.abs(preview.at_night / (waiting / 4) - 1)).toBeLessThan(0.1);
  });

  it('lifts only the given freeze', async () => {
    const { body } = await freeze();
    await lift('catch_up', { since: body.since });
    await harness.moveTo(minutes(1));
    await aHeldText([window(0, 60)]);
    await freeze();
    const due = () =>
      harness.db.selectFrom('texts').select('next_attempt_at').orderBy('id').execute();
    const before = await due();
    for (const missed of ['catch_up', 'skip'] as const)
      expect(await lift(missed, { since: body.since })).toMatchObject({
        status: 409,
        body: { code: 'OTHER_FREEZE' },
      });
    expect((await read()).frozen).toBe(true);
    expect(await due()).toEqual(before);
  });

  it('and freezing in any race leave the row, the audit log and the queue consistent', async () => {
    const { id } = await aQueuedText(harness);
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? freeze() : lift('catch_up'))),
    );
    const { frozen } = await read();
    const done = await adminActions();
    for (const [index, action] of done.entries())
      expect(action).toBe(index % 2 === 0 ? 'sending.frozen' : 'sending.started_again');
    expect(done.length % 2 === 1).toBe(frozen);
    const now = harness.clock.now();
    expect(await readDueTexts(harness.db, [id], { now, isProbe: false })).toHaveLength(
      frozen ? 0 : 1,
    );
  });
});

describe('while the provider is down', () => {
  it('shows it in words, and a manual try checks it before risking a text', async () => {
    const texts = await Promise.all(Array.from({ length: 6 }, () => aQueuedText(harness)));
    await harness.sandbox.faults({ telnyx_down: true });
    for (const { id } of texts) await harness.send(id);
    expect((await read()).provider).toMatchObject({
      kind: 'down',
      code: 'http_503',
      problem: 'server errors',
    });
    expect(await post('/admin/send-pause/try')).toMatchObject({ body: { result: 'refused' } });
    expect(await harness.text(texts[5]!.id)).toMatchObject({ state: 'queued', attempts: 0 });
    await harness.sandbox.faults({ reset: true });
    expect(await post('/admin/send-pause/try')).toMatchObject({ body: { result: 'works' } });
    expect(await harness.sandbox.texts(texts[5]!.recipient.phone)).toHaveLength(1);
  });
});

describe('while the provider rejects everything', () => {
  it("shows it in words, and retries on an operator's request", async () => {
    const { id } = await aQueuedText(harness);
    const other = await aQueuedText(harness);
    await harness.sandbox.faults({ error: { telnyx: { rate: 1, code: '20100' } } });
    await harness.send(id);
    const { provider } = await read();
    expect(provider).toMatchObject({
      code: 'provider_20100',
      problem: 'account balance is empty',
    });
    expect(await post('/admin/send-pause/try')).toMatchObject({
      status: 200,
      body: { result: 'refused' },
    });
    await harness.sandbox.faults({ reset: true });
    const tries = await Promise.all([post('/admin/send-pause/try'), post('/admin/send-pause/try')]);
    expect(tries.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read()).toMatchObject({ provider: null });
    // Texts rejected before wait a moment for their next try.
    await eventually(async () => {
      await harness.sendAllDue();
      return (await harness.sandbox.texts(other.recipient.phone)).length > 0;
    });
    expect(await harness.sandbox.texts(other.recipient.phone)).toHaveLength(1);
    expect(await post('/admin/send-pause/try')).toMatchObject({ body: { result: 'works' } });
  });
});

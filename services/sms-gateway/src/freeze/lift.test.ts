import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiftPreview } from '@daylift/contracts/freeze.http';
import type { SmsBatch } from '@daylift/contracts/sms.http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDispatch,
  aQueuedText,
  aSubscriber,
  asAdmin,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { freezeCalls } from '../../test/freeze-calls.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { receipt } from '../../test/receipts.ts';
import { signed } from '../../test/sandbox.ts';
import { takeTextsToEnqueue } from '../queue/queue.repository.ts';
import { readDueTexts } from '../texts/due-texts.repository.ts';
import { endAbandoned, endMissed } from '../texts/results.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
const { post, freeze, lift, read, adminActions, minutes, window, settledOf } = freezeCalls(
  () => harness,
);

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
    const waiting = 8_000;
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

import type { AdminAction } from '@daylift/contracts/admin-action';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aQueuedText, asAdmin, asUser, entitlement, recipientFacts } from '../../test/factories.ts';
import { freezeCalls } from '../../test/freeze-calls.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { foldCounts } from '../batches/fold-counts.ts';
import { nextProbe, probeSending } from '../probes/probe-sending.ts';
import { resumeSending } from '../provider/send-pause.repository.ts';
import { endMissed } from '../texts/results.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
const { operator, post, freeze, lift, read, adminActions, minutes, window, settledOf } =
  freezeCalls(() => harness);

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
    const repeated = await Promise.all([freeze(), freeze('Another'), freeze()]);
    for (const { status, body } of repeated) {
      expect(status).toBe(200);
      expect(body).toEqual(first);
    }
    await Promise.all([lift('catch_up'), lift('skip'), lift('catch_up')]);
    expect(await read()).toMatchObject({ frozen: false, since: null, by: null, reason: null });
    expect(await adminActions()).toEqual(['sending.frozen', 'sending.started_again']);
    const [frozen] = await harness.published<AdminAction>('sms.admin.acted');
    expect(frozen?.details).toEqual({ reason: first.reason });
  });

  /** Starts a send that waits for its slot until `turn` is resolved. */
  async function sendUpToTheLimiter(id: string) {
    const turn = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    const take = async () => {
      requested.resolve();
      await turn.promise;
      return harness.deps.limiter.take([harness.deps.accountLimits]);
    };
    const sending = harness.send(id, { limiter: { ...harness.deps.limiter, take } });
    await requested.promise;
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
  afterEach(() => resumeSending(harness.db, harness.clock.now()));

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

  it('has nothing to try if the only text waits for the morning', async () => {
    await harness.moveTo(new Date('2027-03-11T15:00:00Z'));
    const newcomer = recipientFacts({ timezone: 'Asia/Tokyo' });
    await harness.receive('accounts.recipient.changed', newcomer);
    await harness.receive('billing.subscription.changed', entitlement(newcomer.user_id));
    await harness.sandbox.faults({ error: { telnyx: { rate: 1, code: '20100' } } });
    await harness.sendAllDue().catch(() => undefined);
    expect(await post('/admin/send-pause/try')).toMatchObject({ body: { result: 'refused' } });
    await harness.moveTo(minutes(61));
    await probeSending(harness.deps);
    for (let time = 0; time < 2; time += 1)
      expect(await post('/admin/send-pause/try')).toMatchObject({
        body: { result: 'nothing_to_try', provider: { code: 'provider_20100' } },
      });
    expect(await harness.textsOf(newcomer.user_id)).toMatchObject([
      { kind: 'welcome', state: 'queued', next_attempt_at: new Date('2027-03-11T23:00:00Z') },
    ]);
  });

  it('tries the first text that can be sent, and ends those that may not', async () => {
    const stopped = await aQueuedText(harness);
    const other = await aQueuedText(harness);
    await harness.sandbox.faults({ error: { telnyx: { rate: 1, code: '20100' } } });
    expect(await harness.send(other.id)).toBe('account');
    await harness.sandbox.faults({ reset: true });
    await harness.receive('accounts.recipient.changed', {
      ...stopped.recipient,
      version: 2,
      is_active: false,
    });
    expect(await post('/admin/send-pause/try')).toMatchObject({ body: { result: 'works' } });
    expect(await harness.sandbox.texts(other.recipient.phone)).toHaveLength(1);
    expect((await harness.text(stopped.id)).state).toBe('skipped');
  });
});

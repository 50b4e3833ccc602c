import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { hourMs } from '@daylift/clock/durations';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aQueuedText } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { probeSending } from '../probes/probe-sending.ts';
import { endMissed } from '../texts/results.ts';
import { unclearToPause } from './breaker.ts';
import { findSendPause, resumeSending } from './send-pause.repository.ts';
import { createTelnyx } from './telnyx-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ timeoutMs: 400, leaseMs: 800 });
});
afterAll(() => harness.close());
afterEach(async () => {
  await harness.sandbox.faults({ reset: true });
  await resumeSending(harness.db, harness.clock.now());
});

const settledOf = async (id: string) =>
  (await harness.settled()).filter(({ dispatch_id }) => dispatch_id === id);

const optOuts = (phone: string) =>
  harness.db
    .selectFrom('opt_outs')
    .selectAll()
    .where('number_hash', '=', harness.deps.numberHash(phone))
    .execute();

async function aClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const anUnreachableProvider = async () =>
  createTelnyx({
    apiKey: 'KEYSANDBOX',
    baseUrl: `http://127.0.0.1:${await aClosedPort()}/v2`,
    receiptsUrl: 'http://127.0.0.1:9',
    timeoutMs: 1_000,
  });

describe('provider responses', () => {
  const rejectWith = (to: string, code: string, times?: number) =>
    harness.sandbox.faults({ recipients: { [to]: { code, ...(times && { times }) } } });

  it('a bad number is rejected permanently', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await rejectWith(recipient.phone, '40310');
    expect(await harness.send(id)).toBe('refused');
    expect(await settledOf(id)).toMatchObject([{ outcome: 'refused', reason: 'provider_40310' }]);
    expect(await harness.send(id)).toBe('not_mine');
  });

  it('a STOP known to the provider is an opt-out and no failure', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await rejectWith(recipient.phone, '40300');
    expect(await harness.send(id)).toBe('opted_out');
    expect(await settledOf(id)).toMatchObject([{ outcome: 'skipped', reason: 'opted_out' }]);
    const stops = await harness.published('sms.recipient.opted_out');
    expect(stops).toContainEqual(
      expect.objectContaining({ user_id: recipient.user_id, source: 'provider' }),
    );
  });

  it("a rejection because of STOP doesn't undo a START sent after the call started", async () => {
    const { id, recipient } = await aQueuedText(harness);
    const provider = {
      ...harness.deps.provider,
      async send() {
        await harness.sandbox.reply(recipient.phone, 'START');
        await eventually(async () => (await optOuts(recipient.phone)).length > 0);
        return { kind: 'opted_out' as const };
      },
    };
    expect(await harness.send(id, { provider })).toBe('opted_out');
    expect(await optOuts(recipient.phone)).toMatchObject([{ opted_out: false }]);
  });

  it('a full provider queue sent nothing, so the text is retried and sent once', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await rejectWith(recipient.phone, '40318', 1);
    // The random wait may be no wait.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.9);
    expect(await harness.send(id)).toBe('unsent');
    random.mockRestore();
    expect(await harness.text(id)).toMatchObject({ state: 'queued', reason: 'provider_40318' });
    expect(await harness.send(id)).toBe('not_mine');
    await harness.moveTo(new Date(harness.clock.now().getTime() + 120_000));
    expect(await harness.send(id)).toBe('accepted');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('a refused connection sent nothing', async () => {
    const { id } = await aQueuedText(harness);
    const provider = await anUnreachableProvider();
    expect(await harness.send(id, { provider })).toBe('unsent');
    expect((await harness.text(id)).reason).toBe('no_connection_econnrefused');
  });

  it('a rejected account pauses sending and keeps all texts until a probe succeeds', async () => {
    const first = await aQueuedText(harness);
    const second = await aQueuedText(harness);
    await rejectWith(first.recipient.phone, '20100', 1);
    expect(await harness.send(first.id)).toBe('account');
    expect(await harness.send(second.id)).toBe('not_mine');
    expect(await probeSending(harness.deps)).toBe(0);
    const pause = await findSendPause(harness.db);
    await harness.moveTo(new Date(pause!.probe_at.getTime() + 1_000));
    expect(await probeSending(harness.deps)).toBe(1);
    expect(await findSendPause(harness.db)).toBeNull();
    await harness.sendAllDue();
    for (const { recipient } of [first, second])
      expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it.each([
    ['the answer is cut off', { accept_then_drop: 1 }],
    ['the answer comes too late', { accept_then_delay_ms: 900 }],
    ['it answers 500 after taking the text', { accept_then_error: 1 }],
  ])(
    'when %s the outcome is unknown: never sent again, and resolved by its receipt',
    async (_what, dial) => {
      const { id, recipient } = await aQueuedText(harness);
      await harness.sandbox.faults({
        ...dial,
        telnyx: { sent_after_ms: 2_000, finalized_after_ms: 2_500 },
      });
      expect(await harness.send(id)).toBe('unknown');
      expect((await harness.text(id)).state).toBe('unknown');
      expect(await harness.send(id)).toBe('not_mine');
      await harness.reaches(id, 'delivered');
      expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
      expect((await settledOf(id)).map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
    },
  );

  it("a receipt that arrives before the response isn't overwritten by it", async () => {
    const { id } = await aQueuedText(harness);
    await harness.sandbox.faults({ telnyx: { webhook_before_answer: true } });
    await harness.send(id);
    expect((await harness.text(id)).state).toBe('delivered');
    expect(await settledOf(id)).toHaveLength(1);
  });
});

describe('A provider that is down', () => {
  const queued = (count: number) =>
    Promise.all(Array.from({ length: count }, () => aQueuedText(harness)));
  const sendAll = (texts: { id: string }[]) => Promise.all(texts.map(({ id }) => harness.send(id)));
  const moveToNextTry = async () => {
    const pause = await findSendPause(harness.db);
    await harness.moveTo(new Date(pause!.probe_at.getTime() + 1_000));
  };

  it('costs a handful of texts at most; the others wait and are sent once', async () => {
    const lost = await queued(unclearToPause);
    const others = await queued(3);
    await harness.sandbox.faults({ telnyx_down: true });
    expect(new Set(await sendAll(lost))).toEqual(new Set(['unknown']));
    expect(new Set(await sendAll(others))).toEqual(new Set(['not_mine']));
    expect(await findSendPause(harness.db)).toMatchObject({ is_outage: true, reason: 'http_503' });
    for (let count = 0; count < 3; count += 1) {
      await moveToNextTry();
      expect(await probeSending(harness.deps)).toBe(1);
    }
    for (const { id } of others)
      expect(await harness.text(id)).toMatchObject({ state: 'queued', attempts: 0 });
    await harness.sandbox.faults({ reset: true });
    await moveToNextTry();
    expect(await probeSending(harness.deps)).toBe(1);
    expect(await findSendPause(harness.db)).toBeNull();
    await harness.sendAllDue();
    for (const { recipient } of others)
      expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
    for (const { id, recipient } of lost) {
      expect(await harness.send(id)).toBe('not_mine');
      expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    }
  });

  it('and passes health checks but accepts no texts loses one text per try, with doubling delays', async () => {
    const texts = await queued(unclearToPause + 2);
    await harness.sandbox.faults({ accept_then_error: { telnyx: 1 } });
    await sendAll(texts.slice(0, unclearToPause));
    const waits: number[] = [];
    for (let tries = 0; tries < 2; tries += 1) {
      await moveToNextTry();
      const from = harness.clock.now().getTime();
      expect(await probeSending(harness.deps)).toBe(1);
      waits.push((await findSendPause(harness.db))!.probe_at.getTime() - from);
    }
    expect(waits.map((ms) => Math.round(ms / 30_000))).toEqual([2, 4]);
  });

  it.each([
    ['does not answer in time', 'no_answer', { latency_ms: { telnyx: 900 } }],
    ['answers with errors', 'provider_10007', { error: { telnyx: { rate: 1, code: '10007' } } }],
  ])('is detected: %s', async (_what, reason, dial) => {
    await harness.sandbox.faults(dial);
    await sendAll(await queued(unclearToPause));
    expect(await findSendPause(harness.db)).toMatchObject({ is_outage: true, reason });
  });

  it('and unreachable costs no texts', async () => {
    const texts = await queued(unclearToPause);
    const deps = { ...harness.deps, provider: await anUnreachableProvider() };
    await Promise.all(texts.map(({ id }) => harness.send(id, deps)));
    expect(await findSendPause(harness.db)).toMatchObject({ is_outage: true });
    await moveToNextTry();
    expect(await probeSending(deps)).toBe(1);
    expect(await findSendPause(harness.db)).not.toBeNull();
    await moveToNextTry();
    expect(await probeSending(harness.deps)).toBe(1);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 120_000));
    await harness.sendAllDue();
    for (const { recipient } of texts)
      expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('excludes one that sometimes responds clearly', async () => {
    const unclear = { accept_then_error: { telnyx: 1 } };
    await harness.sandbox.faults(unclear);
    await sendAll(await queued(unclearToPause - 1));
    await harness.sandbox.faults({ reset: true });
    await sendAll(await queued(1));
    await harness.sandbox.faults(unclear);
    await sendAll(await queued(unclearToPause - 1));
    expect(await findSendPause(harness.db)).toBeNull();
    await sendAll(await queued(1));
    expect(await findSendPause(harness.db)).not.toBeNull();
  });

  it.each([
    ['is down', 'provider_down', { telnyx_down: true }],
    ['refuses us', 'provider_20100', { error: { telnyx: { rate: 1, code: '20100' } } }],
  ])('and %s causes missed texts with that reason', async (_what, reason, dial) => {
    const [untried] = await queued(1);
    await harness.sandbox.faults(dial);
    await sendAll(await queued(unclearToPause));
    await harness.moveTo(new Date(harness.clock.now().getTime() + 2 * hourMs));
    await endMissed(harness.db, harness.clock.now());
    expect(await harness.text(untried!.id)).toMatchObject({ state: 'missed', reason });
    expect(await settledOf(untried!.id)).toMatchObject([{ outcome: 'missed', reason }]);
  });
});

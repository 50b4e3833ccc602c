import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { TextSettled } from '@daylift/contracts/sms.events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aQueuedText } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { sendText } from '../texts/send-text.ts';
import { probeSending } from './probe-sending.ts';
import { findSendPause, resumeSending } from './send-pause.repository.ts';
import { createTelnyx } from './telnyx-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ timeoutMs: 400, leaseMs: 800 });
});
afterAll(() => harness.close());
afterEach(async () => {
  await harness.sandbox.faults({ reset: true });
  await resumeSending(harness.db);
});

const settledOf = async (id: string) =>
  (await harness.published<TextSettled>('sms.text.settled')).filter(
    ({ dispatch_id }) => dispatch_id === id,
  );

async function aClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('what the provider answers', () => {
  const refuseWith = (to: string, code: string, times?: number) =>
    harness.sandbox.faults({ recipients: { [to]: { code, ...(times && { times }) } } });

  it('a bad number is refused for good', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await refuseWith(recipient.phone, '40310');
    expect(await harness.send(id)).toBe('refused');
    expect(await settledOf(id)).toMatchObject([{ outcome: 'refused', reason: 'provider_40310' }]);
    expect(await harness.send(id)).toBe('not_mine');
  });

  it('a number that said STOP to the provider is an opt-out and no failure', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await refuseWith(recipient.phone, '40300');
    expect(await harness.send(id)).toBe('opted_out');
    expect(await settledOf(id)).toMatchObject([{ outcome: 'skipped', reason: 'opted_out' }]);
    const stops = await harness.published('sms.recipient.opted_out');
    expect(stops).toContainEqual(
      expect.objectContaining({ user_id: recipient.user_id, source: 'provider' }),
    );
  });

  it('a full queue surely sent nothing, so the text goes later, once', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await refuseWith(recipient.phone, '40318', 1);
    expect(await harness.send(id)).toBe('unsent');
    expect(await harness.text(id)).toMatchObject({ state: 'queued', reason: 'provider_40318' });
    expect(await harness.send(id)).toBe('not_mine');
    await harness.moveTo(new Date(harness.clock.now().getTime() + 120_000));
    expect(await harness.send(id)).toBe('accepted');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('a closed door surely took nothing', async () => {
    const { id } = await aQueuedText(harness);
    const provider = createTelnyx({
      apiKey: 'KEYSANDBOX',
      publicKey: '',
      baseUrl: `http://127.0.0.1:${await aClosedPort()}/v2`,
      from: '+18885550123',
      receiptsUrl: 'http://127.0.0.1:9',
      timeoutMs: 1_000,
    });
    expect(await sendText({ ...harness.deps, provider }, id)).toBe('unsent');
    expect((await harness.text(id)).reason).toBe('no_connection_econnrefused');
  });

  it('our account refused: nothing more is tried, all rows stay, and it goes on once a probe gets through', async () => {
    const first = await aQueuedText(harness);
    const second = await aQueuedText(harness);
    await refuseWith(first.recipient.phone, '20100', 1);
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
    'when %s nobody knows: never sent again, and its receipt clears it up',
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

  it('a receipt that overtakes the answer is not undone by it', async () => {
    const { id } = await aQueuedText(harness);
    await harness.sandbox.faults({ telnyx: { webhook_before_answer: true } });
    await harness.send(id);
    expect((await harness.text(id)).state).toBe('delivered');
    expect(await settledOf(id)).toHaveLength(1);
  });
});

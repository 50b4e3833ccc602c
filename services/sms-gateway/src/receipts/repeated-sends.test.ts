import { hourMs, minuteMs } from '@daylift/clock/durations';
import { readMetrics } from '@daylift/testing/metrics';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aQueuedText, entitlement, recipientFacts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { probeSending } from '../probes/probe-sending.ts';
import { findDueIds } from '../queue/queue.repository.ts';
import { markInflightUnknown } from '../texts/results.ts';
import { sendTexts } from '../texts/send-texts.ts';
import { reconcile } from './reconcile.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => harness.sandbox.faults({ reset: true }));

const honorsKeys = { telnyx: { honour_idempotency_key: true } };
const moveBy = (ms: number) => harness.moveTo(new Date(harness.clock.now().getTime() + ms));

/** Runs like the loop, until nothing is due. */
async function settle(isIdempotent = true): Promise<void> {
  while ((await reconcile({ ...harness.deps, isIdempotent })) > 0);
}

/** Leaves a text unknown that the provider hasn't taken. */
async function aLostText() {
  const text = await aQueuedText(harness);
  const lost = { [text.recipient.phone]: { code: '10007', times: 1 } };
  await harness.sandbox.faults({ ...honorsKeys, recipients: lost });
  expect(await harness.send(text.id)).toBe('unknown');
  return text;
}

describe('Where the provider honors the idempotency key, a text with an unknown outcome', () => {
  it('is sent again, and reaches the phone if the provider had not taken it', async () => {
    const count = async () =>
      (await readMetrics(harness.app))('sms_repeated_sends_total', { result: 'accepted' }) ?? 0;
    const before = await count();
    const { id, recipient } = await aLostText();
    await moveBy(2 * minuteMs);
    await settle();
    await harness.reaches(id, 'delivered');
    expect(await count()).toBe(before + 1);
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
    const outcomes = (await harness.settled()).filter(({ dispatch_id }) => dispatch_id === id);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
  });

  it('is not doubled if the provider had taken it', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.sandbox.faults({ ...honorsKeys, accept_then_drop: 1, webhook: { drop: 1 } });
    expect(await harness.send(id)).toBe('unknown');
    await harness.sandbox.faults({ accept_then_drop: 0 });
    await moveBy(2 * minuteMs);
    await settle();
    expect((await harness.text(id)).state).toBe('accepted');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('is sent again after the worker was lost', async () => {
    const { id, recipient } = await aLostText();
    await harness.db
      .updateTable('texts')
      .set({ state: 'inflight', lease_until: new Date(0), check_at: null })
      .where('id', '=', id)
      .execute();
    await markInflightUnknown(harness.db, { now: harness.clock.now(), wall: new Date() });
    await moveBy(2 * minuteMs);
    await settle();
    await harness.reaches(id, 'delivered');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('stays unknown, and is tried again, if the provider refuses it for now', async () => {
    const { id, recipient } = await aLostText();
    const busy = { [recipient.phone]: { code: '10011', status: 429, times: 1 } };
    await harness.sandbox.faults({ ...honorsKeys, recipients: busy });
    await moveBy(2 * minuteMs);
    await settle();
    expect((await harness.text(id)).state).toBe('unknown');
    await moveBy(10 * minuteMs);
    await settle();
    await harness.reaches(id, 'delivered');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it.each([
    ['a STOP', (phone: string) => harness.sandbox.reply(phone, 'STOP')],
    ['its window has closed', () => moveBy(2 * hourMs)],
  ])('is not sent again after %s', async (_what, prevent) => {
    const { id, recipient } = await aLostText();
    await prevent(recipient.phone);
    await moveBy(2 * minuteMs);
    await settle();
    expect((await harness.text(id)).state).toBe('unknown');
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  it('is sent again in the morning if its first hour ended in quiet hours', async () => {
    await harness.moveTo(new Date('2027-03-20T15:30:00Z'));
    const newcomer = recipientFacts({ timezone: 'Asia/Tokyo' });
    await harness.receive('accounts.recipient.changed', newcomer);
    await harness.receive('billing.subscription.changed', entitlement(newcomer.user_id));
    const lost = { [newcomer.phone]: { code: '10007' } };
    await harness.sandbox.faults({ ...honorsKeys, recipients: lost });
    await harness.sendAllDue();
    for (let hours = 0; hours < 7; hours += 1) {
      await moveBy(hourMs);
      await settle();
    }
    await harness.sandbox.faults({ reset: true, ...honorsKeys });
    expect(await harness.sandbox.texts(newcomer.phone)).toEqual([]);
    await harness.moveTo(new Date('2027-03-20T23:00:00Z'));
    await settle();
    expect(await harness.sandbox.texts(newcomer.phone)).toHaveLength(1);
    expect(await harness.textsOf(newcomer.user_id)).toMatchObject([{ kind: 'welcome' }]);
  });

  it('is not sent again to another number', async () => {
    const { id, recipient } = await aLostText();
    const phone = '+13125569999';
    await harness.receive('accounts.recipient.changed', { ...recipient, version: 2, phone });
    await moveBy(2 * minuteMs);
    await settle();
    expect((await harness.text(id)).state).toBe('unknown');
    for (const number of [recipient.phone, phone])
      expect(await harness.sandbox.texts(number)).toEqual([]);
  });
});

const unreliable = {
  accept_then_drop: { telnyx: 0.15, stripe: 0 },
  accept_then_error: { telnyx: 0.1, stripe: 0 },
  error: { telnyx: { rate: 0.15, code: '10007' } },
  webhook: { drop: 1 },
};

describe('Of 25 texts through a provider that loses requests and responses', () => {
  it.each([
    ['all arrive exactly once where it honors the key', true],
    ['none arrives twice where it ignores the key', false],
  ])('%s', async (_what, isIdempotent) => {
    const opens_at = harness.clock.now().toISOString();
    const closes_at = new Date(harness.clock.now().getTime() + 20 * hourMs).toISOString();
    const dispatch = { windows: [{ opens_at, closes_at }] };
    const texts = await Promise.all(
      Array.from({ length: 25 }, () => aQueuedText(harness, { dispatch })),
    );
    await harness.sandbox.faults({
      ...unreliable,
      telnyx: { honour_idempotency_key: isIdempotent },
    });
    for (let hours = 0; hours < 14; hours += 1) {
      await probeSending(harness.deps);
      const due = await findDueIds(harness.db, harness.clock.now(), 100);
      if (due.length > 0) await sendTexts(harness.deps, due);
      await settle(isIdempotent);
      await moveBy(hourMs);
    }
    const arrived = await Promise.all(
      texts.map(async ({ recipient }) => (await harness.sandbox.texts(recipient.phone)).length),
    );
    expect(Math.max(...arrived)).toBe(1);
    if (isIdempotent) expect(arrived).toEqual(texts.map(() => 1));
  });
});

import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aNumber, entitlement, recipientFacts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const know = (facts: Recipient) => harness.receive('accounts.recipient.changed', facts);
/** Creates a subscriber; one with pending consent is asked for the first time. */
const knowSubscriber = async (facts: Recipient, change: Parameters<typeof entitlement>[1] = {}) => {
  await know(facts);
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id, change));
};
const requestAgain = (
  user_id: string,
  request_id: string = randomUUID(),
  change: { recipient_version?: number } = {},
) =>
  harness.receive('accounts.consent.asked', {
    request_id,
    user_id,
    asked_at: harness.clock.now().toISOString(),
    ...change,
  });
const moveBy = (ms: number) => harness.moveTo(new Date(harness.clock.now().getTime() + ms));
const requestsTo = async (number: string) => {
  await harness.sendAllDue();
  return (await harness.sandbox.texts(number)).filter(({ text }) => text.includes('Reply YES'));
};

it('each new request asks the number once, and YES confirms it', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await knowSubscriber(facts);
  expect(await requestsTo(facts.phone)).toHaveLength(1);
  const requestId = randomUUID();
  await requestAgain(facts.user_id, requestId);
  await requestAgain(facts.user_id, requestId);
  expect(await requestsTo(facts.phone)).toHaveLength(1);
  await moveBy(60_000);
  // The first request is not repeated.
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id, { version: 2 }));
  expect(await requestsTo(facts.phone)).toHaveLength(2);
  await harness.sandbox.reply(facts.phone, 'YES');
  await eventually(async () => (await harness.published('sms.consent.confirmed')).length > 0, {
    what: 'the confirmation',
  });
});

it('a request that comes before the pause which it is about is retried, not dropped', async () => {
  const facts = recipientFacts({ consent: 'granted' });
  await knowSubscriber(facts);
  const early = requestAgain(facts.user_id, randomUUID(), { recipient_version: 2 });
  await expect(early).rejects.toThrow('not stored yet');
  await know({ ...facts, version: 2, consent: 'pending' });
  const before = await requestsTo(facts.phone);
  await moveBy(60_000);
  await requestAgain(facts.user_id, randomUUID(), { recipient_version: 2 });
  expect(await requestsTo(facts.phone)).toHaveLength(before.length + 1);
});

it('no consent request is sent without an entitlement', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await knowSubscriber(facts, { status: 'past_due', entitled: false });
  await requestAgain(facts.user_id);
  const moved = { ...facts, version: 2, pending_phone: aNumber() };
  await know(moved);
  await requestAgain(facts.user_id);
  for (const phone of [facts.phone, moved.pending_phone])
    expect(await requestsTo(phone)).toEqual([]);
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id, { version: 2 }));
  expect(await requestsTo(moved.pending_phone)).toHaveLength(1);
});

it('a number gets one consent request a minute and five a day, even after its account was deleted', async () => {
  const phone = aNumber();
  for (let accounts = 0; accounts < 8; accounts += 1) {
    const facts = recipientFacts({ consent: 'pending', phone });
    await knowSubscriber(facts);
    await harness.sendAllDue();
    await harness.receive('accounts.user.deleted', { user_id: facts.user_id });
    await moveBy(61_000);
  }
  expect(await requestsTo(phone)).toHaveLength(5);
  await moveBy(dayMs);
  const honest = recipientFacts({ consent: 'pending', phone });
  await knowSubscriber(honest);
  expect(await requestsTo(phone)).toHaveLength(6);
});

it('of eight accounts with one number, one asks, and YES confirms it', async () => {
  const phone = aNumber();
  const many = Array.from({ length: 8 }, () => recipientFacts({ consent: 'pending', phone }));
  await Promise.all(many.map((facts) => knowSubscriber(facts)));
  expect(await requestsTo(phone)).toHaveLength(1);
  const requested = await harness.db
    .selectFrom('texts')
    .select('user_id')
    .where('kind', '=', 'consent_request')
    .where(
      'user_id',
      'in',
      many.map(({ user_id }) => user_id),
    )
    .executeTakeFirstOrThrow();
  const before = (await harness.published('sms.consent.confirmed')).length;
  await harness.sandbox.reply(phone, 'YES');
  const confirmed = await eventually(async () => {
    const all = await harness.published<{ user_id: string }>('sms.consent.confirmed');
    return all.length > before ? all.slice(before) : null;
  });
  expect(confirmed).toMatchObject([{ user_id: requested.user_id }]);
});

it('no one is asked after consent, refusal, STOP or deletion', async () => {
  const agreed = recipientFacts();
  const refused = recipientFacts({ consent: 'revoked' });
  const stopped = recipientFacts({ consent: 'pending' });
  const deleted = recipientFacts({ consent: 'pending' });
  const all = [agreed, refused, stopped, deleted];
  for (const facts of all) await knowSubscriber(facts);
  const countsBefore = new Map<string, number>();
  for (const { phone } of all) countsBefore.set(phone, (await requestsTo(phone)).length);
  await moveBy(61_000);
  await harness.sandbox.reply(stopped.phone, 'STOP');
  await eventually(async () => (await harness.published('sms.recipient.opted_out')).length > 0, {
    what: 'the STOP',
  });
  await harness.receive('accounts.user.deleted', { user_id: deleted.user_id });
  for (const facts of all) {
    await requestAgain(facts.user_id);
    expect(await requestsTo(facts.phone)).toHaveLength(countsBefore.get(facts.phone) ?? 0);
  }
});

it('no one is asked before the checkout', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await know(facts);
  await requestAgain(facts.user_id);
  const changed = { ...facts, version: 2, phone: aNumber() };
  await know(changed);
  for (const { phone } of [facts, changed]) expect(await requestsTo(phone)).toEqual([]);
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id));
  expect(await requestsTo(changed.phone)).toHaveLength(1);
});

it("a request that arrives before the recipient's events is retried", async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await expect(requestAgain(facts.user_id)).rejects.toThrow('not stored yet');
});

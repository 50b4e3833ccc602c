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
/** Has come through a checkout, whose plan is over by now: nothing is asked without being wished for. */
const knowSubscriber = async (facts: Recipient) => {
  await know(facts);
  const over = entitlement(facts.user_id, { status: 'canceled', entitled: false });
  await harness.receive('billing.subscription.changed', over);
};
const ask = (user_id: string, request_id: string = randomUUID()) =>
  harness.receive('accounts.consent.asked', {
    request_id,
    user_id,
    asked_at: harness.clock.now().toISOString(),
  });
const moveBy = (ms: number) => harness.moveTo(new Date(harness.clock.now().getTime() + ms));
const requestsTo = async (number: string) => {
  await harness.sendAllDue();
  return (await harness.sandbox.texts(number)).filter(({ text }) => text.includes('Reply YES'));
};

it('the number is asked again for each new request, once, and YES answers it', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await knowSubscriber(facts);
  const requestId = randomUUID();
  await ask(facts.user_id, requestId);
  await ask(facts.user_id, requestId);
  expect(await requestsTo(facts.phone)).toHaveLength(1);
  await ask(facts.user_id);
  expect(await requestsTo(facts.phone)).toHaveLength(1);
  await moveBy(60_000);
  // What would have been the first request has gone already.
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id, { version: 2 }));
  expect(await requestsTo(facts.phone)).toHaveLength(2);
  await harness.sandbox.reply(facts.phone, 'YES');
  await eventually(async () => (await harness.published('sms.consent.confirmed')).length > 0, {
    what: 'the confirmation',
  });
});

it('a number gets one question a minute and five a day, also after its account is gone', async () => {
  const phone = aNumber();
  for (let accounts = 0; accounts < 8; accounts += 1) {
    const facts = recipientFacts({ consent: 'pending', phone });
    await knowSubscriber(facts);
    await ask(facts.user_id);
    await harness.sendAllDue();
    await harness.receive('accounts.user.deleted', { user_id: facts.user_id });
    await moveBy(61_000);
  }
  expect(await requestsTo(phone)).toHaveLength(5);
  await moveBy(dayMs);
  const honest = recipientFacts({ consent: 'pending', phone });
  await knowSubscriber(honest);
  await ask(honest.user_id);
  expect(await requestsTo(phone)).toHaveLength(6);
});

it('of eight accounts that ask one number at once, one asks, and YES is its reply', async () => {
  const phone = aNumber();
  const many = Array.from({ length: 8 }, () => recipientFacts({ consent: 'pending', phone }));
  for (const facts of many) await knowSubscriber(facts);
  await Promise.all(many.map((facts) => ask(facts.user_id)));
  expect(await requestsTo(phone)).toHaveLength(1);
  const asked = await harness.db
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
  expect(confirmed).toMatchObject([{ user_id: asked.user_id }]);
});

it('nobody is asked who has agreed, refused, said STOP or is gone', async () => {
  const agreed = recipientFacts();
  const refused = recipientFacts({ consent: 'revoked' });
  const stopped = recipientFacts({ consent: 'pending' });
  const gone = recipientFacts({ consent: 'pending' });
  for (const facts of [agreed, refused, stopped, gone]) await knowSubscriber(facts);
  await harness.sandbox.reply(stopped.phone, 'STOP');
  await eventually(async () => (await harness.published('sms.recipient.opted_out')).length > 0, {
    what: 'the STOP',
  });
  await harness.receive('accounts.user.deleted', { user_id: gone.user_id });
  for (const facts of [agreed, refused, stopped, gone]) {
    await ask(facts.user_id);
    expect(await requestsTo(facts.phone)).toEqual([]);
  }
});

it('nobody is texted at the wish of someone who has not come through a checkout', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await know(facts);
  await ask(facts.user_id);
  const changed = { ...facts, version: 2, phone: aNumber() };
  await know(changed);
  for (const { phone } of [facts, changed]) expect(await requestsTo(phone)).toEqual([]);
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id));
  expect(await requestsTo(changed.phone)).toHaveLength(1);
});

it('a request that overtook the person’s facts is tried again, not lost', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await expect(ask(facts.user_id)).rejects.toThrow('not known yet');
});

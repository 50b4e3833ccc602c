import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import { oneTimeCode } from '@daylift/server/one-time-code';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDispatch,
  aNumber,
  aSubscriber,
  asService,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness, oneTimeCodeKey } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const know = (facts: Recipient) => harness.receive('accounts.recipient.changed', facts);
const entitle = ({ user_id }: Recipient) =>
  harness.receive('billing.subscription.changed', entitlement(user_id));
const textsTo = async (phone: string) => {
  await harness.sendAllDue();
  return (await harness.sandbox.texts(phone)).map(({ text }) => text);
};
async function reply(from: string, text: string): Promise<void> {
  const countStored = async () =>
    (
      await harness.db
        .selectFrom('inbound_texts')
        .select('id')
        .where('from_number', '=', from)
        .execute()
    ).length;
  const before = await countStored();
  await harness.sandbox.reply(from, text);
  await eventually(async () => (await countStored()) > before, { what: 'the reply' });
}
const confirmedOf = async (userId: string) =>
  (await harness.published<{ user_id: string }>('sms.consent.confirmed')).filter(
    ({ user_id }) => user_id === userId,
  );
async function requestProof(user_id: string): Promise<string> {
  const request_id = randomUUID();
  const expires_at = new Date(harness.clock.now().getTime() + 600_000).toISOString();
  const request = { request_id, user_id, expires_at, purpose: 'prove' };
  await harness.receive('accounts.code.requested', request);
  return `Daylift: ${oneTimeCode(oneTimeCodeKey, request_id)} is your code to confirm this number. It expires in 10 minutes. Don't share it.`;
}

const unclear =
  "Daylift: YES can't confirm this number, as more than one account uses it. Please sign in and ask for a code in Settings. HELP for help, STOP to cancel.";

it("a number proven by another account gets no texts of the old one, and its STOP doesn't affect that account", async () => {
  const facts = await aSubscriber(harness);
  const dispatch = aDispatch(facts, harness);
  await release(harness, [dispatch]);
  await know({ ...facts, version: 2, phone: null });
  expect(await textsTo(facts.phone)).toEqual([]);
  expect(await harness.text(dispatch.dispatch_id)).toMatchObject({
    state: 'skipped',
    reason: 'inactive',
  });
  await reply(facts.phone, 'STOP');
  const stops = await harness.published<{ user_id: string }>('sms.recipient.opted_out');
  expect(stops.filter(({ user_id }) => user_id === facts.user_id)).toEqual([]);
});

describe('A pending number', () => {
  it('is asked for consent while texts go to the old one; only its own YES proves it', async () => {
    const pending_phone = aNumber();
    const facts = await aSubscriber(harness);
    await know({ ...facts, version: 2, pending_phone });
    expect(await textsTo(pending_phone)).toEqual([expect.stringContaining('Reply YES')]);
    await release(harness, [aDispatch(facts, harness)]);
    expect(await textsTo(facts.phone)).toEqual([expect.stringContaining('Good morning')]);
    await reply(facts.phone, 'YES');
    expect(await confirmedOf(facts.user_id)).toEqual([]);
    await reply(pending_phone, 'YES');
    expect(await confirmedOf(facts.user_id)).toMatchObject([{ recipient_version: 2 }]);
  });

  it('gets the code that proves it; otherwise the number on file does, before consent', async () => {
    const pending_phone = aNumber();
    const facts = await aSubscriber(harness, { consent: 'pending' });
    const first = await requestProof(facts.user_id);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    expect(await textsTo(facts.phone)).toContain(first);
    const changing = await aSubscriber(harness, { pending_phone });
    const second = await requestProof(changing.user_id);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    expect(await textsTo(pending_phone)).toContain(second);
    expect(await textsTo(changing.phone)).toEqual([]);
  });

  it("gets nothing once it's dropped", async () => {
    const pending_phone = aNumber();
    const facts = await aSubscriber(harness, { pending_phone });
    await requestProof(facts.user_id);
    await know({ ...facts, version: 2, pending_phone: null });
    await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    expect(await textsTo(pending_phone)).toEqual([]);
    expect(await harness.textsOf(facts.user_id)).toMatchObject([
      { state: 'superseded' },
      { state: 'superseded' },
    ]);
  });

  it("gets nothing after its STOP, which doesn't affect the number on file", async () => {
    const pending_phone = aNumber();
    const facts = await aSubscriber(harness, { pending_phone });
    await reply(pending_phone, 'STOP');
    await requestProof(facts.user_id);
    expect(await textsTo(pending_phone)).toEqual([]);
    const dispatch = aDispatch(facts, harness);
    await release(harness, [dispatch]);
    expect(await textsTo(facts.phone)).toHaveLength(1);
  });

  it('gets no code in testing mode, and no email contains one', async () => {
    const facts = await aSubscriber(harness, { pending_phone: aNumber() });
    const switchTo = (enabled: boolean) =>
      harness.db
        .updateTable('testing_mode')
        .set({ enabled, test_phone: '+13125550100', revision: sql`revision + 1` })
        .execute();
    await harness.sendAllDue();
    await switchTo(true);
    await requestProof(facts.user_id);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    await harness.sendAllDue();
    await switchTo(false);
    expect((await harness.textsOf(facts.user_id)).at(-1)).toMatchObject({ reason: 'testing_mode' });
    expect(await harness.published('sms.code.not_texted')).toEqual([]);
  });
});

describe('A second subscriber with an unproven number', () => {
  async function secondOf(first: ReturnType<typeof recipientFacts>, overrides: Partial<Recipient>) {
    const second = recipientFacts({ phone_proven: false, ...overrides, phone: first.phone });
    await know(first);
    await know(second);
    await entitle(first);
    await entitle(second);
    return second;
  }
  const advanceMinute = () => harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));

  it.each(['granted', 'pending'] as const)(
    "can't prove it by YES, nor can the first (consent %s)",
    async (consent) => {
      const first = recipientFacts({ phone_proven: false });
      const second = await secondOf(first, { consent });
      await harness.receive('accounts.consent.asked', {
        request_id: randomUUID(),
        user_id: second.user_id,
        asked_at: harness.clock.now().toISOString(),
      });
      await advanceMinute();
      expect(await textsTo(first.phone)).toEqual([expect.stringContaining('Welcome')]);
      await reply(first.phone, 'YES');
      expect(await textsTo(first.phone)).toEqual([expect.any(String), unclear]);
      await know({ ...first, version: 2, phone_proven: true });
      await reply(first.phone, 'YES');
      for (const { user_id } of [first, second]) expect(await confirmedOf(user_id)).toEqual([]);
    },
  );

  it('prevents a YES from proving the number for an unpaid signup or a subscriber', async () => {
    const subscriber = recipientFacts({ phone_proven: false, consent: 'pending' });
    await know(subscriber);
    await entitle(subscriber);
    const signup = recipientFacts({ phone_proven: false, phone: subscriber.phone });
    await know(signup);
    await textsTo(subscriber.phone);
    await reply(subscriber.phone, 'YES');
    expect(await textsTo(subscriber.phone)).toContain(unclear);
    for (const { user_id } of [subscriber, signup]) expect(await confirmedOf(user_id)).toEqual([]);
    await harness.receive('accounts.user.deleted', { user_id: signup.user_id });
    await reply(subscriber.phone, 'YES');
    expect(await confirmedOf(subscriber.user_id)).toHaveLength(1);
  });

  it('leaves the YES to the account that has proven the number', async () => {
    const first = recipientFacts({ consent: 'pending' });
    await secondOf(first, {});
    await reply(first.phone, 'YES');
    expect(await confirmedOf(first.user_id)).toHaveLength(1);
  });

  it("gets a code there, and a welcome once it's proven", async () => {
    const first = recipientFacts({ phone_proven: false });
    const second = await secondOf(first, {});
    await textsTo(first.phone);
    const code = await requestProof(second.user_id);
    await advanceMinute();
    expect(await textsTo(first.phone)).toEqual([expect.stringContaining('Welcome'), code]);
    await know({ ...first, version: 2, phone: null });
    await know({ ...second, version: 2, phone_proven: true });
    expect(await textsTo(first.phone)).toHaveLength(3);
  });

  it('gets no daily text, because the number gets one per day', async () => {
    const first = recipientFacts({ phone_proven: false });
    const second = await secondOf(first, {});
    await know({ ...second, version: 2, delivery_hour: 9 });
    await release(harness, [
      aDispatch(first, harness),
      aDispatch({ ...second, delivery_hour: 9, phone: first.phone }, harness),
    ]);
    expect((await textsTo(first.phone)).sort()).toEqual([
      expect.stringContaining('Good morning'),
      expect.stringContaining('Welcome'),
    ]);
  });

  it('is asked once the first gets no more texts, and can then prove the number by YES', async () => {
    const first = recipientFacts({ phone_proven: false, consent: 'revoked' });
    const second = await secondOf(first, {});
    expect(await textsTo(first.phone)).toEqual([expect.stringContaining('Reply YES')]);
    await reply(first.phone, 'YES');
    expect(await confirmedOf(second.user_id)).toEqual([]);
    await know({ ...first, version: 2, phone: null });
    await reply(first.phone, 'YES');
    expect(await confirmedOf(second.user_id)).toHaveLength(1);
    expect(await confirmedOf(first.user_id)).toEqual([]);
  });
});

it('sees and erases nothing sent from an unproven number', async () => {
  const phone = aNumber();
  await reply(phone, 'My dog is called Rex');
  await reply(phone, 'STOP');
  const stranger = await aSubscriber(harness, { phone, phone_proven: false });
  await reply(phone, 'Who are you?');
  const shown = await harness.call({
    url: `/internal/export/${stranger.user_id}`,
    as: asService,
  });
  expect(shown.json()).toMatchObject({ replies: [], opt_out: null });
  await harness.receive('accounts.user.deleted', { user_id: stranger.user_id });
  const owner = await aSubscriber(harness, { phone, phone_proven: true });
  const own = await harness.call({ url: `/internal/export/${owner.user_id}`, as: asService });
  expect(own.json()).toMatchObject({
    replies: [{ content: 'My dog is called Rex' }, { content: 'STOP' }],
    opt_out: { opted_out: true },
  });
});

describe('An unpaid signup with an unproven number', () => {
  const optOutsOf = async (userId: string) => {
    const all = await Promise.all(
      ['opted_out', 'opted_in', 'number_changed'].map((word) =>
        harness.published<{ user_id: string }>(`sms.recipient.${word}`),
      ),
    );
    return all.flat().filter(({ user_id }) => user_id === userId);
  };
  const shownTo = async (userId: string) =>
    (await harness.call({ url: `/internal/export/${userId}`, as: asService })).json<unknown>();

  it('sees and erases none of its replies, and none is linked to it', async () => {
    const signup = recipientFacts({ phone_proven: false });
    await reply(signup.phone, 'Before');
    await know(signup);
    await reply(signup.phone, 'After');
    await reply(signup.phone, '7AM');
    const pointers = await harness.published<{ user_id: string | null }>('sms.reply.received');
    expect(pointers.slice(-2)).toMatchObject([{ user_id: null }, { user_id: null }]);
    expect(await harness.published('sms.setting.requested')).not.toContainEqual(
      expect.objectContaining({ user_id: signup.user_id }),
    );
    expect(await shownTo(signup.user_id)).toMatchObject({ replies: [], texts: [] });
    await harness.receive('accounts.user.deleted', { user_id: signup.user_id });
    const stored = await harness.db
      .selectFrom('inbound_texts')
      .select('content')
      .where('from_number', '=', signup.phone)
      .orderBy('received_at')
      .execute();
    expect(stored.map(({ content }) => content)).toEqual(['Before', 'After', '7AM']);
  });

  it('learns of its STOP only after checkout or proof', async () => {
    const phone = aNumber();
    await reply(phone, 'STOP');
    const [payer, prover] = [recipientFacts({ phone_proven: false, phone }), recipientFacts()];
    await know(payer);
    await know({ ...prover, phone_proven: false, phone });
    await reply(phone, 'STOP');
    await reply(phone, 'START');
    await reply(phone, 'STOP');
    for (const { user_id } of [payer, prover]) {
      expect(await optOutsOf(user_id)).toEqual([]);
      expect(await shownTo(user_id)).toMatchObject({ opt_out: null });
    }
    await entitle(payer);
    await know({ ...prover, version: 2, phone_proven: true, phone });
    for (const { user_id } of [payer, prover])
      expect(await optOutsOf(user_id)).toMatchObject([{ opted_out: true }]);
  });
});

it('leaves a YES to the subscriber who has proven the number, even for an old question', async () => {
  const holder = recipientFacts({ consent: 'pending' });
  await know(holder);
  await entitle(holder);
  await harness.moveTo(new Date(harness.clock.now().getTime() + 25 * hourMs));
  await harness.sendAllDue();
  const stranger = await aSubscriber(harness, { pending_phone: holder.phone });
  await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
  expect((await textsTo(holder.phone)).at(-1)).toContain('Reply YES');
  expect(await harness.textsOf(stranger.user_id)).toMatchObject([{ kind: 'consent_request' }]);
  await reply(holder.phone, 'YES');
  expect(await confirmedOf(holder.user_id)).toHaveLength(1);
  expect(await confirmedOf(stranger.user_id)).toEqual([]);
  expect(await textsTo(holder.phone)).not.toContain(unclear);
});

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
const entitle = (facts: Recipient, version = 1) =>
  harness.receive('billing.subscription.changed', entitlement(facts.user_id, { version }));
const words = async (to: string) => {
  await harness.sendAllDue();
  return (await harness.sandbox.texts(to)).map(({ text }) => text);
};
const confirmed = async (userId: string) =>
  (
    await harness.published<{ user_id: string; recipient_version: number }>('sms.consent.confirmed')
  ).filter(({ user_id }) => user_id === userId);
const yes = async (facts: Recipient & { phone: string }) => {
  await harness.sandbox.reply(facts.phone, 'Yes');
  await eventually(async () => (await confirmed(facts.user_id)).length > 0);
};

it('a consented subscriber is welcomed once, right after the checkout', async () => {
  const facts = recipientFacts();
  await know(facts);
  expect(await words(facts.phone)).toEqual([]);
  await entitle(facts);
  await entitle(facts, 2);
  await know({ ...facts, version: 2 });
  const texts = await words(facts.phone);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toMatch(/Daylift, Ada.*1 msg\/day.*data rates.*HELP.*STOP/);
  expect(texts[0]!.length).toBeLessThanOrEqual(160);
});

it('the welcome is also sent when events arrive in reverse order', async () => {
  const facts = recipientFacts({ frequency: 'weekly', weekday: 2 });
  await entitle(facts);
  await know(facts);
  expect((await words(facts.phone)).join()).toContain('1 msg/week');
});

it('without consent there is one request, nothing else until YES, and then the welcome', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await know(facts);
  expect(await words(facts.phone)).toEqual([]);
  await entitle(facts);
  await know({ ...facts, version: 2 });
  expect(await words(facts.phone)).toEqual([expect.stringContaining('Reply YES')]);
  await yes(facts);
  expect(await confirmed(facts.user_id)).toMatchObject([{ recipient_version: 2 }]);
  await know({ ...facts, version: 3, consent: 'granted' });
  expect(await words(facts.phone)).toEqual([
    expect.stringContaining('Reply YES'),
    expect.stringContaining('Welcome'),
  ]);
});

it("a changed number is asked immediately; a YES to the old question doesn't count for it", async () => {
  const facts = recipientFacts();
  await know(facts);
  await entitle(facts);
  await words(facts.phone);
  const changed = { ...facts, version: 2, phone: aNumber(), consent: 'pending' as const };
  await know(changed);
  expect(await words(changed.phone)).toEqual([expect.stringContaining('Reply YES')]);
  await harness.sandbox.reply(facts.phone, 'YES');
  await eventually(async () => {
    const rows = await harness.db
      .selectFrom('inbound_texts')
      .selectAll()
      .where('from_number', '=', facts.phone)
      .execute();
    return rows.length === 1 && rows[0]!.meaning === 'other';
  });
  expect(await confirmed(facts.user_id)).toEqual([]);
  await yes(changed);
  expect(await confirmed(facts.user_id)).toMatchObject([{ recipient_version: 2 }]);
  await know({ ...changed, version: 3, consent: 'granted' });
  await know({ ...changed, version: 4, consent: 'granted' });
  expect(await words(changed.phone)).toEqual([
    expect.stringContaining('Reply YES'),
    expect.stringContaining('Welcome to Daylift, Ada!'),
  ]);
});

it('welcomes a new number once it replies YES, but not a restored old number', async () => {
  const facts = recipientFacts();
  await know(facts);
  await entitle(facts);
  expect(await words(facts.phone)).toHaveLength(1);
  const number = aNumber();
  await know({ ...facts, version: 2, pending_phone: number });
  expect(await words(number)).toHaveLength(1);
  await know({ ...facts, version: 3, phone: number, pending_phone: null });
  expect(await words(number)).toEqual([
    expect.stringContaining('Reply YES'),
    expect.stringContaining('Welcome'),
  ]);
  await know({ ...facts, version: 4, pending_phone: null });
  expect(await words(facts.phone)).toHaveLength(1);
});

it('an unsolicited YES confirms nothing', async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await know(facts);
  await harness.sandbox.reply(facts.phone, 'YES');
  await eventually(
    async () =>
      (
        await harness.db
          .selectFrom('inbound_texts')
          .selectAll()
          .where('user_id', '=', facts.user_id)
          .execute()
      ).length > 0,
  );
  expect(await confirmed(facts.user_id)).toEqual([]);
});

it("a queued request isn't sent after the number changed back", async () => {
  const facts = recipientFacts({ consent: 'pending' });
  await know(facts);
  await entitle(facts);
  await know({ ...facts, version: 2, consent: 'granted' });
  expect(await words(facts.phone)).toEqual([expect.stringContaining('Welcome')]);
});

it("a number that said STOP isn't welcomed until START", async () => {
  const phone = aNumber();
  await harness.sandbox.reply(phone, 'STOP');
  await eventually(
    async () =>
      (await harness.db.selectFrom('opt_outs').selectAll().where('opted_out', '=', true).execute())
        .length > 0,
  );
  const facts = recipientFacts({ phone });
  await know(facts);
  await entitle(facts);
  expect(await words(phone)).toEqual([]);
  await harness.sandbox.reply(phone, 'START');
  await eventually(async () => (await harness.textsOf(facts.user_id)).length > 0);
  expect(await words(phone)).toEqual([expect.stringContaining('Welcome')]);
});

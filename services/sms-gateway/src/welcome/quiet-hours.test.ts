import { minuteMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aNumber, entitlement, recipientFacts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
let day = 9;
/** Noon in New York, which is 1 AM the next day in Tokyo. */
beforeEach(async () => {
  day += 1;
  await harness.moveTo(new Date(`2027-04-${day}T16:00:00Z`));
});
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const know = (facts: Recipient) => harness.receive('accounts.recipient.changed', facts);
const entitle = (facts: Recipient, version = 1) =>
  harness.receive('billing.subscription.changed', entitlement(facts.user_id, { version }));
const inTokyo = (facts: Partial<Recipient & { phone: string }>) =>
  recipientFacts({ timezone: 'Asia/Tokyo', ...facts });
const wordsTo = async (phone: string) => {
  await harness.sendAllDue();
  return (await harness.sandbox.texts(phone)).map(({ text }) => text).join();
};
const waitUntilMorning = async (phone: string, words: string) => {
  expect(await wordsTo(phone)).toBe('');
  await harness.moveTo(new Date(`2027-04-${day}T22:59:00Z`));
  expect(await wordsTo(phone)).toBe('');
  await harness.moveTo(new Date(`2027-04-${day}T23:00:01Z`));
  expect(await wordsTo(phone)).toContain(words);
};

describe('in quiet hours', () => {
  it.each([
    ['consent request', 'pending', 'Reply YES'],
    ['welcome', 'granted', 'Welcome to'],
  ] as const)('the %s to a subscriber added by staff waits for 8 AM', async (_, consent, words) => {
    const facts = inTokyo({ consent, by_staff: true });
    await know(facts);
    await entitle(facts);
    await waitUntilMorning(facts.phone, words);
  });

  it('the welcome after free access by staff waits for 8 AM', async () => {
    const facts = inTokyo({ by_staff: false });
    await know(facts);
    const given = entitlement(facts.user_id, { status: 'expired', by_staff: true });
    await harness.receive('billing.subscription.changed', given);
    await waitUntilMorning(facts.phone, 'Welcome to');
  });

  it('the question to a number that staff typed waits for 8 AM', async () => {
    const facts = inTokyo({ by_staff: false });
    await know(facts);
    await entitle(facts);
    await harness.sendAllDue();
    const pending_phone = aNumber();
    await know({ ...facts, version: 2, pending_phone, by_staff: true });
    await waitUntilMorning(pending_phone, 'Reply YES');
  });

  it.each([
    ["isn't asked if it said YES meanwhile", 'granted', false],
    ['is asked even if a code proved it meanwhile', 'pending', true],
  ] as const)('a number that staff typed %s', async (_, consent, isRequested) => {
    const facts = inTokyo({ by_staff: false });
    await know(facts);
    await entitle(facts);
    await harness.sendAllDue();
    const phone = aNumber();
    await know({ ...facts, version: 2, pending_phone: phone, by_staff: true });
    const proven = { phone, phone_proven: true, pending_phone: null, consent };
    await know({ ...facts, version: 3, ...proven });
    await harness.moveTo(new Date(`2027-04-${day}T23:00:01Z`));
    expect((await wordsTo(phone)).includes('Reply YES')).toBe(isRequested);
  });

  it.each([
    ['consent request', 'pending', 'Reply YES'],
    ['welcome', 'granted', 'Welcome to'],
  ] as const)(
    'the %s after a signup waits for 8 AM if it is held up for an hour',
    async (_, consent, words) => {
      const own = inTokyo({ consent, by_staff: false });
      await know(own);
      await entitle(own);
      await harness.moveTo(new Date(harness.clock.now().getTime() + 61 * minuteMs));
      await waitUntilMorning(own.phone, words);
    },
  );

  it('the welcome after a signup in the evening waits for 8 AM too, if it is held up for an hour', async () => {
    // It is 8 PM there.
    const own = recipientFacts({ timezone: 'Asia/Dubai', by_staff: false });
    await know(own);
    await entitle(own);
    await harness.moveTo(new Date(`2027-04-${day}T17:30:00Z`));
    expect(await wordsTo(own.phone)).toBe('');
    await harness.moveTo(new Date(`2027-04-${day + 1}T04:00:01Z`));
    expect(await wordsTo(own.phone)).toContain('Welcome to');
  });

  it('a welcome that is held up is the only one of a number changed meanwhile', async () => {
    const own = inTokyo({ by_staff: false });
    await know(own);
    await entitle(own);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 61 * minuteMs));
    expect(await wordsTo(own.phone)).toBe('');
    const number = aNumber();
    await know({ ...own, version: 2, pending_phone: number });
    expect(await wordsTo(number)).toContain('Reply YES');
    await know({ ...own, version: 3, phone: number, pending_phone: null });
    await harness.moveTo(new Date(`2027-04-${day}T23:00:01Z`));
    expect((await wordsTo(number)).match(/Welcome to/g)).toHaveLength(1);
  });

  it('a renewal that makes the first text due sends it at 8 AM', async () => {
    const facts = inTokyo({ consent: 'pending', by_staff: false });
    const ended = { status: 'past_due', entitled: false } as const;
    await know(facts);
    await harness.receive(
      'billing.subscription.changed',
      entitlement(facts.user_id, { ...ended, version: 1 }),
    );
    await entitle(facts, 2);
    await waitUntilMorning(facts.phone, 'Reply YES');
  });

  it('the request to a silent number waits for 8 AM', async () => {
    const facts = inTokyo({ consent: 'pending', by_staff: true });
    await know(facts);
    await entitle(facts);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 90_000));
    await harness.receive('accounts.consent.asked', {
      ...{ request_id: crypto.randomUUID(), user_id: facts.user_id, by_system: true },
      asked_at: harness.clock.now().toISOString(),
    });
    await waitUntilMorning(facts.phone, 'Reply YES');
  });

  it('a person who signs up or asks again gets the text immediately', async () => {
    const own = inTokyo({ by_staff: false });
    await know(own);
    await entitle(own);
    expect(await wordsTo(own.phone)).toContain('Welcome to');
    const added = inTokyo({ consent: 'pending', by_staff: true });
    await know(added);
    await entitle(added);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 90_000));
    await harness.receive('accounts.consent.asked', {
      request_id: crypto.randomUUID(),
      user_id: added.user_id,
      asked_at: harness.clock.now().toISOString(),
    });
    await harness.moveTo(new Date(harness.clock.now().getTime() + 90_000));
    expect(await wordsTo(added.phone)).toContain('Reply YES');
    await harness.moveTo(new Date(`2027-04-${day}T23:30:00Z`));
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(added.phone)).toHaveLength(1);
  });
});

it('during the day, a subscriber added by staff is asked immediately', async () => {
  const facts = recipientFacts({ consent: 'pending', by_staff: true });
  await know(facts);
  await entitle(facts);
  expect(await wordsTo(facts.phone)).toContain('Reply YES');
});

import { expect, test } from 'vitest';
import { describeOwed, describeRetry, type OwedPlan } from './owed-words.ts';

const plan: OwedPlan = {
  status: 'past_due',
  plan: 'monthly',
  price_cents: 499,
  currency: 'usd',
  trial_end_date: null,
  current_period_end: '2027-05-08T15:00:00Z',
  cancel_at_period_end: false,
  next_charge: { at: '2027-04-11T15:00:00Z', amount_cents: 499 },
  credit_cents: 0,
  lost_days: null,
  card: { brand: 'visa', last4: '0341' },
  owed: {
    amount_cents: 499,
    since: '2027-04-08T15:00:00Z',
    texts_until: '2027-04-15T15:00:00Z',
    card_declined: true,
  },
  actions: ['pay', 'cancel', 'portal'],
};
const reader = { timezone: 'America/New_York', opted_out: false };
const stopped = { ...plan.owed, texts_until: null };
const replaced = { ...plan.owed, card_declined: false };

test('says when texts stop, and promises none to a number that is opted out', () => {
  const failed = "Your payment of $4.99 on Apr 8, 2027 didn't go through.";
  expect(describeOwed(plan, reader)).toBe(
    `${failed} Your texts will stop on Apr 15, 2027 unless it's paid by then.`,
  );
  expect(describeOwed({ ...plan, owed: stopped }, reader)).toBe(
    `${failed} Your texts have stopped. They'll start again once it's paid.`,
  );
  expect(describeOwed(plan, { ...reader, opted_out: true })).toBe(failed);
});

test('asks for another card only while the declined one is on file', () => {
  expect(describeRetry(plan, reader)).toBe(
    "Your Visa ending in 0341 was declined. We'll try again on Apr 11, 2027.",
  );
  expect(describeRetry({ ...plan, next_charge: null }, reader)).toBe(
    "Your Visa ending in 0341 was declined, and we won't try it again.",
  );
  expect(describeRetry({ ...plan, owed: replaced }, reader)).toBe(
    "We're now charging your new card, Visa ending in 0341.",
  );
  expect(describeRetry({ ...plan, card: null }, reader)).toBe('Please add a card.');
});

test("asks to confirm a payment instead, if that's what the bank requires", () => {
  const owed = { ...replaced, confirm_url: 'https://pay.example/i/in_1' };
  expect(describeRetry({ ...plan, owed }, reader)).toBe(
    'Your bank needs you to confirm this payment.',
  );
});

import type { PlanView } from '@daylift/contracts/billing.http';
import { expect, test } from 'vitest';
import { describeHold } from './hold-words.ts';

const reader = { opted_out: false };
const plan = (change: Partial<PlanView>) =>
  ({ status: 'active', cancel_at_period_end: false, hold: null, ...change }) as PlanView;

test('a dispute pauses the texts, and promises none to a number that is opted out', () => {
  const disputed = plan({ hold: 'disputed' });
  expect(describeHold(disputed, reader)).toBe(
    "Your bank is reviewing a payment to us, so your texts are paused until it's settled. We won't charge you in the meantime.",
  );
  expect(describeHold(disputed, { opted_out: true })).toBe(
    "Your bank is reviewing a payment to us. We won't charge you in the meantime.",
  );
});

test('a plan that ends promises no return of the texts', () => {
  const ending = { cancel_at_period_end: true } as const;
  expect(describeHold(plan({ hold: 'refunded', ...ending }), reader)).toBe(
    "We refunded your last payment, and your plan is canceled. You won't be charged again.",
  );
  expect(describeHold(plan({ hold: 'disputed', status: 'canceled' }), reader)).toBeNull();
  expect(describeHold(plan({ hold: 'lost', status: 'canceled' }), reader)).toBe(
    'Your bank returned a payment to you, so your plan has ended.',
  );
});

test('nothing is said while payments give texts, nor by a server that knows no holds', () => {
  expect(describeHold(plan({}), reader)).toBeNull();
  expect(describeHold(plan({ hold: undefined }), reader)).toBeNull();
});

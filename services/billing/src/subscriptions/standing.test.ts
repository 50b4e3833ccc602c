import { expect, it } from 'vitest';
import { standingOf } from './subscriptions.actions.ts';

const early = new Date('2027-03-01T00:00:00Z');
const late = new Date('2027-03-02T00:00:00Z');
const live = { id: 'sub_new', is_live: true, started_at: late };
const over = { ...live, is_live: false };
const row = {
  stripe_subscription_id: 'sub_old',
  read_ticket: 5,
  is_live: true,
  status: 'active',
  started_at: early,
} as const;

it.each([
  ['the first of a user', live, 1, undefined, 'successor'],
  ['a newer read of the same', { ...live, id: 'sub_old' }, 6, row, 'same'],
  ['an older read of the same', { ...live, id: 'sub_old' }, 4, row, 'stale'],
  ['the same read again', { ...live, id: 'sub_old' }, 5, row, 'stale'],
  ['a second one beside a live one', live, 6, row, 'duplicate'],
  [
    'one after the old one ended',
    live,
    6,
    { ...row, is_live: false, status: 'canceled' },
    'successor',
  ],
  ['one beside an unpaid one', live, 6, { ...row, status: 'expired' }, 'successor'],
  ['the end of a duplicate', over, 6, row, 'stale'],
  [
    'the end of an older one, after a newer ended',
    { ...over, started_at: early },
    6,
    { ...row, is_live: false, started_at: late },
    'stale',
  ],
  ['the end of a newer one, first heard of now', over, 6, { ...row, is_live: false }, 'successor'],
] as const)('%s', (_name, subscription, ticket, held, expected) => {
  expect(standingOf(subscription, ticket, held)).toBe(expected);
});

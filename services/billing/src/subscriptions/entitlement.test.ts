import { expect, it } from 'vitest';
import { entitlementOf } from './entitlement.ts';

const now = new Date('2027-03-10T12:00:00Z');
const at = (text: string) => new Date(text);
const no = { entitled: false, entitled_until: null };

it.each([
  ['a trial', { status: 'trial' }, { entitled: true, entitled_until: null }],
  ['a paid period', { status: 'active' }, { entitled: true, entitled_until: null }],
  [
    'a period with a scheduled cancellation',
    { status: 'active', cancel_at: at('2027-03-20T00:00:00Z') },
    { entitled: true, entitled_until: at('2027-03-20T00:00:00Z') },
  ],
  [
    'a trial past its cancellation, without an event',
    { status: 'trial', cancel_at: at('2027-03-10T12:00:00Z') },
    no,
  ],
  [
    'a payment that failed six days ago',
    { status: 'past_due', past_due_since: at('2027-03-04T12:00:00Z') },
    { entitled: true, entitled_until: at('2027-03-11T12:00:00Z') },
  ],
  [
    'a payment that failed seven days ago',
    { status: 'past_due', past_due_since: at('2027-03-03T12:00:00Z') },
    no,
  ],
  [
    'a failed payment of a cancelled subscription',
    {
      status: 'past_due',
      past_due_since: at('2027-03-09T12:00:00Z'),
      cancel_at: at('2027-03-11T00:00:00Z'),
    },
    { entitled: true, entitled_until: at('2027-03-11T00:00:00Z') },
  ],
  ['a paid period with a disputed payment', { status: 'active', hold: 'disputed' }, no],
  ['a paid period with a refunded payment', { status: 'active', hold: 'refunded' }, no],
  ['a failed payment of unknown age', { status: 'past_due' }, no],
  ['an open checkout', { status: 'pending' }, no],
  ['an expired subscription', { status: 'expired' }, no],
  ['a cancelled subscription', { status: 'canceled' }, no],
] as const)('%s', (_name, facts, expected) => {
  expect(
    entitlementOf({ past_due_since: null, cancel_at: null, hold: null, ...facts }, now),
  ).toEqual(expected);
});

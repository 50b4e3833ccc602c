import { expect, it } from 'vitest';
import { checkoutRefusal } from './may-check-out.ts';

const now = new Date('2027-03-10T12:00:00Z');
const fresh = new Date('2027-03-09T12:00:01Z');
const old = new Date('2027-03-09T12:00:00Z');
const active = { status: 'active', is_live: true } as const;
const canceled = { status: 'canceled', is_live: false } as const;
const unpaid = { status: 'expired', is_live: true } as const;

it.each([
  ['a visitor with a fresh signup', null, fresh, false, null],
  ['a visitor with a signup of yesterday', null, old, false, 'SIGNUP_TOO_OLD'],
  ['a visitor with the id of a subscriber', active, fresh, false, 'ALREADY_SUBSCRIBED'],
  ['a visitor with the id of a former subscriber', canceled, fresh, false, 'ALREADY_SUBSCRIBED'],
  ['an owner who never paid', null, old, true, null],
  ['an owner with a running subscription', active, old, true, 'STILL_SUBSCRIBED'],
  ['an owner with an ended subscription', canceled, old, true, null],
  ['an owner with an unpaid subscription', unpaid, old, true, null],
] as const)('%s', (_name, subscription, registered_at, is_owner, expected) => {
  const refusal = checkoutRefusal({ subscription, registered_at, is_owner }, now);
  expect(refusal).toEqual(expected && expect.objectContaining({ code: expected }));
});

import { createHash } from 'node:crypto';
import type { ErrorFields } from '../api/stripe-error.ts';

/** Why a bank or the card's own checks decline it. */
export interface Decline {
  code: string;
  decline_code: string;
  message: string;
  /** After a hard decline the same card is not charged again. */
  hard: boolean;
}

/** How a test card behaves when it is attached and charged, and when its owner must confirm. */
export interface TestCard {
  brand: string;
  funding: 'credit' | 'debit';
  attach: Decline | null;
  charge: Decline | null;
  /** Whether its owner must confirm every charge, and not only in Checkout. */
  confirms: boolean;
}

const declined = (decline_code: string, hard = false, message?: string): Decline => ({
  code: message && hard ? decline_code : 'card_declined',
  decline_code,
  message: message ?? 'Your card was declined.',
  hard,
});

const DECLINES: Record<string, Decline> = Object.fromEntries(
  [
    declined('insufficient_funds', false, 'Your card has insufficient funds.'),
    declined('lost_card', true),
    declined('stolen_card', true),
    declined('fraudulent', true),
    declined('test_mode_live_card', true),
    declined('expired_card', true, 'Your card has expired.'),
    declined('incorrect_cvc', true, "Your card's security code is incorrect."),
    { ...declined('processing_error'), code: 'processing_error' },
  ].map((decline) => [decline.decline_code, decline]),
);

/** Returns the decline with that code; a code without its own message gets the generic one. */
export const declineByCode = (code: string): Decline => DECLINES[code] ?? declined(code);

const good: TestCard = {
  brand: 'visa',
  funding: 'credit',
  attach: null,
  charge: null,
  confirms: false,
};
const refusing = (code: string): TestCard => ({
  ...good,
  attach: declineByCode(code),
  charge: declineByCode(code),
});

/** The provider's test cards, by number. */
const TEST_CARDS: Record<string, TestCard> = {
  '4242424242424242': good,
  '4000056655665556': { ...good, funding: 'debit' },
  '5555555555554444': { ...good, brand: 'mastercard' },
  '5200828282828210': { ...good, brand: 'mastercard', funding: 'debit' },
  '378282246310005': { ...good, brand: 'amex' },
  '6011111111111117': { ...good, brand: 'discover' },
  '3566002020360505': { ...good, brand: 'jcb' },
  '4000000000000341': { ...good, charge: declineByCode('generic_decline') },
  '4000000000000002': refusing('generic_decline'),
  '4000000000009995': refusing('insufficient_funds'),
  '4000000000009987': refusing('lost_card'),
  '4000000000009979': refusing('stolen_card'),
  '4000000000000069': refusing('expired_card'),
  '4000000000000127': refusing('incorrect_cvc'),
  '4000000000000119': refusing('processing_error'),
  '4000000000006975': refusing('card_velocity_exceeded'),
  '4100000000000019': refusing('fraudulent'),
  '4000002500003155': good,
  '4000002760003184': { ...good, confirms: true },
};

/** Prefixes of valid numbers that behave like a test card, each with its own fingerprint. */
const FAMILIES: [prefix: string, like: string][] = [
  ['424242', '4242424242424242'],
  ['555555', '5555555555554444'],
  ['400000341', '4000000000000341'],
  ['400000276', '4000002760003184'],
];

export function normalizeCardNumber(typed: string): string {
  return typed.replace(/[\s-]/g, '');
}

/** Returns the key of a number's test card for `testCardOf`, or null if its check digit is wrong. */
export function testCardKey(number: string): string | null {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return null;
  if (TEST_CARDS[number]) return number;
  const family = FAMILIES.find(([prefix]) => number.startsWith(prefix) && number.length === 16);
  return family ? family[1] : 'unknown';
}

export function testCardOf(key: string): TestCard {
  return TEST_CARDS[key] ?? refusing('test_mode_live_card');
}

/**
 * The numbers that most testers type. Each counts as a different card per email address, so a second person is not
 * refused a trial. Any other number is one card for all users.
 */
const SHARED_NUMBERS = new Set(['4242424242424242', '4000000000000341', '4000002760003184']);

/** Returns a fingerprint of the card that does not reveal its number. */
export function cardFingerprint(number: string, email: string | null): string {
  const owner = SHARED_NUMBERS.has(number) ? `:${(email ?? '').toLowerCase()}` : '';
  return createHash('sha256')
    .update(`card:${number}${owner}`)
    .digest('base64url')
    .replace(/[-_]/g, 'x')
    .slice(0, 16);
}

export const declineFields = ({ code, decline_code }: Decline): ErrorFields => ({
  code,
  decline_code,
});

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number[number.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

import { createHash } from 'node:crypto';
import type { ErrorFields } from '../api/stripe-error.ts';

/** Why a bank, or the card's own check, says no. */
export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
  /** A hard decline is not tried again with the same card. */
  hard: boolean;
}

/** How a test card behaves: when it is put on file, when it is charged, and when its owner must confirm. */
export interface CardBehaviour {
  brand: string;
  funding: 'credit' | 'debit';
  attach: Decline | null;
  charge: Decline | null;
  authentication: 'never' | 'at_setup' | 'always';
}

const declined = (decline_code: string, hard = false, message = 'Your card was declined.') => ({
  code: 'card_declined',
  decline_code,
  message,
  hard,
});

export const DECLINES = {
  generic_decline: declined('generic_decline'),
  insufficient_funds: declined('insufficient_funds', false, 'Your card has insufficient funds.'),
  lost_card: declined('lost_card', true),
  stolen_card: declined('stolen_card', true),
  fraudulent: declined('fraudulent', true),
  card_velocity_exceeded: declined(
    'card_velocity_exceeded',
    false,
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  expired_card: {
    code: 'expired_card',
    decline_code: 'expired_card',
    message: 'Your card has expired.',
    hard: true,
  },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    hard: true,
  },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
    hard: false,
  },
  authentication_required: declined(
    'authentication_required',
    false,
    'Your card was declined. This transaction requires authentication.',
  ),
  incorrect_number: {
    code: 'incorrect_number',
    message: 'Your card number is incorrect.',
    hard: true,
  },
  test_mode_live_card: declined(
    'test_mode_live_card',
    true,
    'Your card was declined. Your request was in test mode, but used a non test card. Use a test card such as 4242 4242 4242 4242.',
  ),
} satisfies Record<string, Decline>;

const good: CardBehaviour = {
  brand: 'visa',
  funding: 'credit',
  attach: null,
  charge: null,
  authentication: 'never',
};
const refusedOutright = (decline: Decline): CardBehaviour => ({
  ...good,
  attach: decline,
  charge: decline,
});

/** The provider's test cards, by number. */
const BEHAVIOURS: Record<string, CardBehaviour> = {
  '4242424242424242': good,
  '4000056655665556': { ...good, funding: 'debit' },
  '5555555555554444': { ...good, brand: 'mastercard' },
  '5200828282828210': { ...good, brand: 'mastercard', funding: 'debit' },
  '378282246310005': { ...good, brand: 'amex' },
  '6011111111111117': { ...good, brand: 'discover' },
  '3566002020360505': { ...good, brand: 'jcb' },
  '4000000000000341': { ...good, charge: DECLINES.generic_decline },
  '4000000000000002': refusedOutright(DECLINES.generic_decline),
  '4000000000009995': refusedOutright(DECLINES.insufficient_funds),
  '4000000000009987': refusedOutright(DECLINES.lost_card),
  '4000000000009979': refusedOutright(DECLINES.stolen_card),
  '4000000000000069': refusedOutright(DECLINES.expired_card),
  '4000000000000127': refusedOutright(DECLINES.incorrect_cvc),
  '4000000000000119': refusedOutright(DECLINES.processing_error),
  '4000000000006975': refusedOutright(DECLINES.card_velocity_exceeded),
  '4100000000000019': refusedOutright(DECLINES.fraudulent),
  '4000002500003155': { ...good, authentication: 'at_setup' },
  '4000002760003184': { ...good, authentication: 'always' },
  '4000008260003178': {
    ...good,
    charge: DECLINES.insufficient_funds,
    authentication: 'at_setup',
  },
};

/**
 * Families for tests that need many different cards: each Luhn-valid number of the family behaves like
 * the card it is named after, with a fingerprint of its own.
 */
const FAMILIES: [prefix: string, like: string][] = [
  ['424242', '4242424242424242'],
  ['555555', '5555555555554444'],
  ['400000341', '4000000000000341'],
];

/** The shape of a number that is a card number at all. */
export function normalizeCardNumber(typed: string): string {
  return typed.replace(/[\s-]/g, '');
}

/** Which known card a number stands for; a key for `behaviourOf`. Null for one that fails the check digit. */
export function behaviourKey(number: string): string | null {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return null;
  if (BEHAVIOURS[number]) return number;
  const family = FAMILIES.find(([prefix]) => number.startsWith(prefix) && number.length === 16);
  return family ? family[1] : 'unknown';
}

/** How the card behind a key behaves. */
export function behaviourOf(key: string | null): CardBehaviour {
  if (key === null) return refusedOutright(DECLINES.incorrect_number);
  return BEHAVIOURS[key] ?? refusedOutright(DECLINES.test_mode_live_card);
}

/**
 * The numbers that everybody types who only needs a card: each stands for a card of one's own, told apart by the
 * e-mail address, so that the second person is not taken for somebody who had a trial before. Every other number is
 * one card, whoever uses it.
 */
const EVERYBODYS_NUMBERS = new Set(['4242424242424242', '4000000000000341']);

/** The same for the same card, wherever it is used, and without a way back to its number. */
export function cardFingerprint(number: string, email: string | null): string {
  const owner = EVERYBODYS_NUMBERS.has(number) ? `:${(email ?? '').toLowerCase()}` : '';
  return createHash('sha256')
    .update(`card:${number}${owner}`)
    .digest('base64url')
    .replace(/[-_]/g, 'x')
    .slice(0, 16);
}

/** What an error about the card carries. */
export function declineFields(decline: Decline): ErrorFields {
  return decline.decline_code
    ? { code: decline.code, decline_code: decline.decline_code }
    : { code: decline.code };
}

/** The decline of a code that a fault dial names. */
export function declineByCode(code: string): Decline {
  return (DECLINES as Record<string, Decline>)[code] ?? declined(code);
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number[number.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

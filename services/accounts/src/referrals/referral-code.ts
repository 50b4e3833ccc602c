import { randomInt } from 'node:crypto';

/** Capitals and digits that nobody mistakes for one another when they read a code aloud or from paper. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Five bits each: fifty, of which nobody guesses one that exists. */
const length = 10;

export const createReferralCode = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** As it stands in a link, or as somebody typed it from one. */
export const readReferralCode = (input: string): string => input.trim().toUpperCase();

export const referralUrlOf = (publicUrl: string, code: string): string =>
  `${publicUrl}/signup?ref=${code}`;

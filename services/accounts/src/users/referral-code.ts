import { randomInt } from 'node:crypto';

/** Letters and digits that aren't confused when read aloud or from paper. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Five bits each: fifty bits can't be guessed. */
const length = 10;

export const createReferralCode = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

export const readReferralCode = (input: string): string => input.trim().toUpperCase();

export const referralUrlOf = (publicUrl: string, code: string): string =>
  `${publicUrl}/signup?ref=${code}`;

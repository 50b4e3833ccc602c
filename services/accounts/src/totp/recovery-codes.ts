import { randomBytes } from 'node:crypto';

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codes = 8;
const length = 16;

/** 80 bits each, without easily confused letters and digits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, () => {
    const text = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
    return text.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** Ignores spacing and case. */
export const plainCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase();

import type { User } from '../users/users.table.ts';

const hourMs = 60 * 60 * 1000;
export const defaultPasswordMs = 72 * hourMs;

/** Unambiguous letters and digits; five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const length = 20;

/**
 * Returns a 100-bit initial password in five groups. Derived from a secret hash of the form, so a lost response can be
 * repeated although only the password's hash is stored.
 */
export function defaultPasswordOf(secretHash: string): string {
  const bytes = Buffer.from(secretHash, 'hex').subarray(0, length);
  return [...bytes]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');
}

export const hasLapsed = (user: Pick<User, 'password_expires_at'>, now: Date): boolean =>
  user.password_expires_at !== null && user.password_expires_at <= now;

import type { User } from '../users/users.table.ts';

const hourMs = 60 * 60 * 1000;
export const defaultPasswordMs = 72 * hourMs;

/** Letters and digits that nobody mistakes for one another; each stands for five bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
const length = 20;

/**
 * A password for somebody new, to be read out or typed: 100 bits, in five groups. It follows from a secret hash of the form
 * that made the account, so that an answer that was lost can be given again although only its hash is stored.
 */
export function defaultPasswordOf(secretHash: string): string {
  const bytes = Buffer.from(secretHash, 'hex').subarray(0, length);
  return [...bytes]
    .map((byte) => letters[byte % letters.length])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** Whether the time is over in which somebody could use the password that staff were shown. */
export const hasLapsed = (user: Pick<User, 'password_expires_at'>, now: Date): boolean =>
  user.password_expires_at !== null && user.password_expires_at <= now;

import type { AdminRole } from '@daylift/contracts/fields';

/** Enough of a number to tell two people apart. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}${'•'.repeat(Math.max(0, phone.length - 4))}${phone.slice(-2)}`;
}

/** Who may only look sees no whole number. */
export function phoneAsSeenBy<T extends string | null>(role: AdminRole, phone: T): T | string {
  return phone !== null && role === 'viewer' ? maskPhone(phone) : phone;
}

const number = /\+?\d[\d\s().-]{5,}\d/g;

/** What somebody wrote, without anything in it that may be a number. */
export const withoutNumbers = (words: string): string => words.replaceAll(number, '•••');

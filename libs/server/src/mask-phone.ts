import type { AdminRole } from '@daylift/contracts/fields';

/** Enough of a number to tell two people apart. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}${'•'.repeat(Math.max(0, phone.length - 4))}${phone.slice(-2)}`;
}

/** Who may only look sees no whole number. */
export function phoneAsSeenBy<T extends string | null>(role: AdminRole, phone: T): T | string {
  return phone !== null && role === 'viewer' ? maskPhone(phone) : phone;
}

import type { AdminRole } from '@daylift/contracts/fields';

export function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}${'•'.repeat(Math.max(0, phone.length - 4))}${phone.slice(-2)}`;
}

const callingCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** Returns a number as its owner recognizes it, such as `+1 ••• 0143`. */
export const shortPhone = (phone: string): string =>
  `${callingCode.exec(phone)?.[0] ?? '+'} ••• ${phone.slice(-4)}`;

export function phoneAsSeenBy<T extends string | null>(role: AdminRole, phone: T): T | string {
  return phone !== null && role === 'viewer' ? maskPhone(phone) : phone;
}

export const maskEmail = (email: string): string => email.replace(/^(.).*@/, '$1•••@');

export function emailAsSeenBy<T extends string | null>(role: AdminRole, email: T): T | string {
  return email !== null && role === 'viewer' ? maskEmail(email) : email;
}

const number = /\+?\d[\d\s().-]{5,}\d/g;
const address = /[^\s@<>()"',;:]+@[^\s@<>()"',;:]+/g;

export const withoutContacts = (words: string): string =>
  words.replaceAll(address, '•••').replaceAll(number, '•••');

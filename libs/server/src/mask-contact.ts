import type { AdminRole } from '@daylift/contracts/fields';

export function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}${'•'.repeat(Math.max(0, phone.length - 4))}${phone.slice(-2)}`;
}

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

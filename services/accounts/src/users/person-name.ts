import { InvalidName } from '../errors.ts';

/** Control characters and those that turn the direction of what follows them, in logs, mails and tables. */
const misleading = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{S}]/u;

/** A name as a person writes it, with its blanks in order. Any script; it must show something. */
export function readPersonName(input: string): string {
  const name = input.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  if (misleading.test(name) || !visible.test(name)) throw new InvalidName();
  return name;
}

/** What a text greets with. */
export const firstNameOf = (name: string): string => name.split(' ')[0] ?? name;

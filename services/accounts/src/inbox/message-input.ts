import { InvalidSubject } from '../errors.ts';
import { readPersonName } from '../users/person-name.ts';

/** Line breaks, other control characters, and characters that change the writing direction. */
const controlCharacters = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** Mail programs decode these (RFC 2047), so they could hide what the reader would see. */
const encodedWord = /=\?[^?\s]+\?[bq]\?/i;

/** A subject becomes an email header, so it must be one line and can't add headers. */
export function readSubject(input: string): string {
  if (controlCharacters.test(input) || encodedWord.test(input)) throw new InvalidSubject();
  return input.normalize('NFC').trim();
}

/** Rejects a line break in a name: no one types one into a form. */
export function readSenderName(input: string): string {
  return readPersonName(controlCharacters.test(input) ? '\u0000' : input);
}

export const readMessage = (input: string): string =>
  input.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

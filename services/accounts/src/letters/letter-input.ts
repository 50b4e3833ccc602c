import { InvalidSubject } from '../errors.ts';
import { readPersonName } from '../users/person-name.ts';

/** Line ends and other control characters, and what turns the direction of what follows it. */
const notOfOneLine = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** Mail programs decode these (RFC 2047), so they could hide what a reader would see. */
const encodedWord = /=\?[^?\s]+\?[bq]\?/i;

/** A subject becomes a header of a mail: one line, so that it can bring no header of its own. */
export function readSubject(input: string): string {
  if (notOfOneLine.test(input) || encodedWord.test(input)) throw new InvalidSubject();
  return input.normalize('NFC').trim();
}

/** Unlike at a signup, a line end in a name is not taken for a blank: nobody types one into a form. */
export function readSenderName(input: string): string {
  return readPersonName(notOfOneLine.test(input) ? '\u0000' : input);
}

/** The text as it was written, with the line ends of text. */
export const readMessage = (input: string): string =>
  input.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

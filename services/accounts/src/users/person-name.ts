import { InvalidName } from '../errors.ts';

/** Control characters, and those that change the writing direction. */
const misleading = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{S}]/u;
/** Signs that a reader or a mail program could take for a link: emails and texts contain names. */
const linkSigns = /[:/\\@%{}\u2044\u2215\u2216\u2236\u29F8\uA789]|=\?/u;
const domainLike =
  /[\p{L}\p{N}][.\u00B7\u0660\u06D4\u06F0\u0589\u0701\u0702\u2022\u2027\u2219\u22C5\u3002\uA4F8\uA60E]\p{L}{2}|\p{N}\.\p{N}/u;
/** A phone number, or a blank that joins words into one name. */
const callLike = /(?:\p{N}[^\p{L}]*){5}|\u2800/u;
const invisible = /[\p{Cf}\p{M}]/gu;

const isLinkLike = (text: string): boolean =>
  linkSigns.test(text) || domainLike.test(text) || callLike.test(text);

/** Normalizes a name in any script; it must be visible. */
export function readPersonName(input: string): string {
  const name = input.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const visibleName = name.normalize('NFKC').replaceAll(invisible, '');
  if (misleading.test(name) || !visible.test(name) || isLinkLike(visibleName))
    throw new InvalidName();
  return name;
}

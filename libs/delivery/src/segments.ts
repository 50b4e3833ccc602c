export interface Segments {
  encoding: 'GSM-7' | 'UCS-2';
  /** Septets of GSM-7, or UTF-16 units. */
  units: number;
  parts: number;
}

export const maxParts = 10;

/**
 * The provider's GSM-7 alphabet. It is smaller than the standard's: a backtick, a Greek capital, Ç or ¤ makes the
 * whole text UCS-2.
 */
const gsm7 = new Set(
  '@£$¥èéùìò\nØø\rÅå_ÆæßÉ !"#%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Encoded as an escape and a letter: two septets. */
const gsm7Extended = new Set('~^|\\{}[]€');

/** Counts a text's parts as the provider does. An empty one has none. */
export function countSegments(text: string): Segments {
  const characters = [...text];
  const isGsm7 = characters.every((one) => gsm7.has(one) || gsm7Extended.has(one));
  // An escape pair or surrogate pair is never split between parts.
  const widths = characters.map((one) => (isGsm7 ? (gsm7Extended.has(one) ? 2 : 1) : one.length));
  const units = widths.reduce((sum, width) => sum + width, 0);
  const [single, multiple] = isGsm7 ? [160, 153] : [70, 67];
  const parts = units === 0 ? 0 : units <= single ? 1 : packParts(widths, multiple);
  return { encoding: isGsm7 ? 'GSM-7' : 'UCS-2', units, parts };
}

/** Typographic characters and their plain forms. Other letters lose their accents. */
const plainForms: [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/\u2022/g, '-'],
  [/[\u00a0\u2000-\u200a\u202f]/g, ' '],
  [/[\u200b-\u200d\u2060\ufeff\u00ad]/g, ''],
];

/** Returns the text in GSM-7, or null if it has characters without a plain form, such as emoji. */
export function inPlainCharacters(text: string): string | null {
  const replaced = plainForms.reduce(
    (words, [from, to]) => words.replace(from, to),
    text.normalize('NFC'),
  );
  const plain = [...replaced].map((one) => (gsm7.has(one) ? one : withoutAccent(one))).join('');
  return countSegments(plain).encoding === 'GSM-7' ? plain : null;
}

const withoutAccent = (char: string): string => char.normalize('NFD').replace(/\p{Mn}/gu, '');

function packParts(widths: number[], size: number): number {
  let parts = 1;
  let filled = 0;
  for (const width of widths) {
    if (filled + width > size) {
      parts += 1;
      filled = 0;
    }
    filled += width;
  }
  return parts;
}

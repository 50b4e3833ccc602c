/** How a text travels: in which alphabet, and in how many parts, each of which is charged. */
export interface Segments {
  encoding: 'GSM-7' | 'UCS-2';
  /** Septets of GSM-7, or UTF-16 units. */
  units: number;
  parts: number;
}

/** More than this many parts the provider refuses. */
export const maxParts = 10;

/**
 * The provider's GSM-7 alphabet. It is smaller than the standard's: no backtick, no Greek capitals, no Ç and no ¤;
 * any of them makes the whole text UCS-2.
 */
const gsm7 = new Set(
  '@£$¥èéùìò\nØø\rÅå_ÆæßÉ !"#%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Written as an escape and a letter: two septets. */
const gsm7Extended = new Set('~^|\\{}[]€');

/** Counts a text as the provider does. An empty one has no parts. */
export function countSegments(text: string): Segments {
  const characters = [...text];
  const isGsm7 = characters.every((one) => gsm7.has(one) || gsm7Extended.has(one));
  // An escape pair or a surrogate pair is never torn apart by the end of a part.
  const widths = characters.map((one) => (isGsm7 ? (gsm7Extended.has(one) ? 2 : 1) : one.length));
  const units = widths.reduce((sum, width) => sum + width, 0);
  const [single, multiple] = isGsm7 ? [160, 153] : [70, 67];
  const parts = units === 0 ? 0 : units <= single ? 1 : packParts(widths, multiple);
  return { encoding: isGsm7 ? 'GSM-7' : 'UCS-2', units, parts };
}

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

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

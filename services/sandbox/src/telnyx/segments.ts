/** How Telnyx splits a text into parts. */
export interface Segments {
  encoding: 'GSM-7' | 'UCS-2';
  parts: number;
}

// Smaller than the standard: backtick, Ç, ¤ and Greek capitals turn a text into UCS-2.
const gsmBasic = new Set(
  '@£$¥èéùìòØøÅå_ÆæßÉ !"#%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà\n\r',
);
const gsmDouble = new Set('~^|\\{}[]€\f');

export const MAX_PARTS = 10;

function isGsm7(text: string): boolean {
  for (const character of text) {
    if (!gsmBasic.has(character) && !gsmDouble.has(character)) return false;
  }
  return true;
}

export function segmentsOf(text: string): Segments {
  const gsm = isGsm7(text);
  // A double character or a surrogate pair is never split, so sizes are packed one by one.
  const sizes = [...text].map((character) =>
    gsm ? (gsmDouble.has(character) ? 2 : 1) : character.length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const [single, each] = gsm ? [160, 153] : [70, 67];
  return { encoding: gsm ? 'GSM-7' : 'UCS-2', parts: total <= single ? 1 : pack(sizes, each) };
}

function pack(sizes: number[], each: number): number {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > each) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}

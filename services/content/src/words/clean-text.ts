/** Keeps line breaks, and removes control characters and changes of writing direction. */
const unwanted = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns text as stored and sent: normalized, trimmed, without control characters. */
export function cleanContent(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(unwanted, (one) => (one === '\n' ? one : ''))
    .normalize('NFC')
    .trim();
}

/** Returns a cleaned title on one line. */
export function cleanTitle(text: string): string {
  return cleanContent(text).replaceAll(/\s+/g, ' ');
}

/** Ends of line stay; everything else that steers a terminal or turns the writing direction goes. */
const unwanted = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text as it is stored and sent: one spelling of each character, no control characters, no blanks around it. */
export function cleanContent(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(unwanted, (one) => (one === '\n' ? one : ''))
    .normalize('NFC')
    .trim();
}

/** The same on one line. */
export function cleanTitle(text: string): string {
  return cleanContent(text).replaceAll(/\s+/g, ' ');
}

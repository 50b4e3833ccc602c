import { countSegments, maxParts } from '@daylift/delivery/segments';
import { BlankField, ContentTooLong, UnknownPlaceholder } from '../errors.ts';
import { cleanContent, cleanTitle } from './clean-text.ts';

/** As sms-gateway reads it when it fills the name in: blanks inside the braces do not matter. */
const namePlace = /\{\{\s*first_name\s*\}\}/g;
/** Long enough a name that few are longer; a message is not refused for the one who is. */
const longName = 'N'.repeat(20);

/** A text as it can be sent to anybody; what cannot is refused in words. */
export function checkContent(text: string): string {
  const content = cleanContent(text);
  if (content === '') throw new BlankField('content');
  const unknown = content.match(/\{\{(?!\s*first_name\s*\}\})[^{}]*\}\}/);
  if (unknown !== null) throw new UnknownPlaceholder(unknown[0]);
  const { parts } = countSegments(content.replaceAll(namePlace, longName));
  if (parts > maxParts) throw new ContentTooLong(parts, maxParts);
  return content;
}

export function checkTitle(text: string): string {
  const title = cleanTitle(text);
  if (title === '') throw new BlankField('title');
  return title;
}

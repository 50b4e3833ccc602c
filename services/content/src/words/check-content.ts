import { countSegments, maxParts } from '@daylift/delivery/segments';
import { BlankField, ContentTooLong, UnknownPlaceholder } from '../errors.ts';
import { cleanContent, cleanTitle } from './clean-text.ts';

/** As in sms-gateway, which replaces it: spaces inside the braces are allowed. */
const namePlaceholder = /\{\{\s*first_name\s*\}\}/g;
/** Longer than nearly all names; a longer one doesn't invalidate a message. */
const longName = 'N'.repeat(20);

/** Returns text that can be sent to anyone, or throws an error that says why not. */
export function checkContent(text: string): string {
  const content = cleanContent(text);
  if (content === '') throw new BlankField('content');
  const unknown = content.match(/\{\{(?!\s*first_name\s*\}\})[^{}]*\}\}/);
  if (unknown !== null) throw new UnknownPlaceholder(unknown[0]);
  const { parts } = countSegments(content.replaceAll(namePlaceholder, longName));
  if (parts > maxParts) throw new ContentTooLong(parts, maxParts);
  return content;
}

export function checkTitle(text: string): string {
  const title = cleanTitle(text);
  if (title === '') throw new BlankField('title');
  return title;
}

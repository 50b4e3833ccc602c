import type { TimelineEntry } from '@daylift/contracts/timeline.http';
import { withoutContacts } from '@daylift/server/mask-contact';
import { localDateOf } from '../users/local-dates.ts';

/** On whose calendar and for whose eyes a timeline is written. */
export interface Reader {
  timezone: string;
  /** Viewers see no phone numbers and email addresses, not even inside a message. */
  hidesContacts: boolean;
}

type Written = Pick<TimelineEntry, 'id' | 'kind' | 'title'> &
  Partial<Omit<TimelineEntry, 'at'>> & { at: string | Date };

/** An entry with what most of them have in common. */
export function entry(reader: Reader, { at, ...written }: Written): TimelineEntry {
  const instant = new Date(at);
  return {
    at: instant.toISOString(),
    local_date: localDateOf(instant, reader.timezone).toString(),
    tone: 'plain',
    detail: null,
    quote: null,
    by: null,
    steps: [],
    ...written,
  };
}

/** What somebody wrote, as this reader may see it. */
export const quoteFor = (reader: Reader, words: string): string =>
  reader.hidesContacts ? withoutContacts(words) : words;

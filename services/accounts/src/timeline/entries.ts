import type { TimelineEntry } from '@daylift/contracts/timeline.http';
import { withoutContacts } from '@daylift/server/mask-contact';
import { localDateOf } from '../users/local-dates.ts';

/** Time zone and permissions of the reader. */
export interface Reader {
  timezone: string;
  /** Viewers see no phone numbers and email addresses, not even inside a message. */
  hidesContacts: boolean;
}

type Written = Pick<TimelineEntry, 'id' | 'kind' | 'title'> &
  Partial<Omit<TimelineEntry, 'at'>> & { at: string | Date };

/** Builds an entry with defaults. */
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

export const quoteFor = (reader: Reader, words: string): string =>
  reader.hidesContacts ? withoutContacts(words) : words;

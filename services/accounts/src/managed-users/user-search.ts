import type { UserListQuery } from '@daylift/contracts/people.http';

export type UserWish = Omit<UserListQuery, 'limit' | 'offset' | 'sort' | 'order'> & {
  /** Viewers can't find out a masked number or address by searching for it. */
  byContact: boolean;
};

/** As `search_words` of the database takes names and addresses apart. */
const betweenWords = /[\s!-/:-@[-`{-~]+/;
const leastDigits = 4;

export interface UserSearch {
  /** A tsquery over `users.search`. */
  all: string;
  /** A tsquery over the words of the name alone, or null where emails and phones may match too. */
  name: string | null;
}

/**
 * Returns what to search for; null: everyone, undefined: no one. A word of the search is the beginning of one of
 * theirs, and signs stand for themselves.
 */
export function searchOf({
  search = '',
  byContact,
  ...states
}: UserWish): UserSearch | null | undefined {
  const terms = statesOf(states);
  if (search.trim() !== '') {
    if (!byContact && search.includes('@')) return undefined;
    const words = wordsOf(search);
    const ways = [words, byContact ? digitsOf(search) : null].filter((way) => way !== null);
    if (ways.length === 0) return undefined;
    terms.push(`(${ways.join(' | ')})`);
    if (!byContact) return { all: terms.join(' & '), name: words };
  }
  return terms.length === 0 ? null : { all: terms.join(' & '), name: null };
}

function statesOf(wish: Omit<UserWish, 'byContact' | 'search'>): string[] {
  const states = [
    wish.status,
    wish.subscription && `subscription:${wish.subscription}`,
    wish.consent && `consent:${wish.consent}`,
    wish.opted_out === undefined ? undefined : `opted_out:${wish.opted_out}`,
    wish.delivery && `delivery:${wish.delivery}`,
  ];
  return states.filter((state) => state !== undefined).map((state) => `'=${state}'`);
}

function wordsOf(search: string): string | null {
  const words = search.normalize('NFC').toLowerCase().split(betweenWords).filter(Boolean);
  // Between quotes nothing has a meaning but quotes and backslashes, and those part words.
  return words.length === 0 ? null : `(${words.map((word) => `'${word}':*`).join(' & ')})`;
}

function digitsOf(search: string): string | null {
  const digits = search.replaceAll(/[\s().+-]/g, '');
  return new RegExp(`^\\d{${leastDigits},}$`).test(digits) ? `'#${digits}':*` : null;
}

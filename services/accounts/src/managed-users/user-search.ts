import type { UserListQuery } from '@daylift/contracts/people.http';

export type UserWish = Omit<UserListQuery, 'limit' | 'offset' | 'sort' | 'order'> & {
  /** Whoever may not see a number may not feel for it digit by digit either. */
  byPhone: boolean;
};

/** As `search_words` of the database takes names and addresses apart. */
const betweenWords = /[\s!-/:-@[-`{-~]+/;
const leastDigits = 4;

/**
 * What to look for in `users.search`, as a tsquery; null: everybody, undefined: nobody. A word of the search is the
 * beginning of one of theirs, and signs stand for themselves.
 */
export function searchOf({ search = '', byPhone, ...states }: UserWish): string | null | undefined {
  const terms = statesOf(states);
  if (search.trim() !== '') {
    const ways = [wordsOf(search), byPhone ? digitsOf(search) : null].filter((way) => way !== null);
    if (ways.length === 0) return undefined;
    terms.push(`(${ways.join(' | ')})`);
  }
  return terms.length === 0 ? null : terms.join(' & ');
}

function statesOf(wish: Omit<UserWish, 'byPhone' | 'search'>): string[] {
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

import type { UserListQuery } from '@daylift/contracts/managed-users.http';

export type UserFilter = Omit<UserListQuery, 'limit' | 'offset' | 'sort' | 'order'> & {
  /** Viewers must not discover a masked number or address by searching. */
  byContact: boolean;
};

/** Splits names and addresses like `search_words` in the database. */
const betweenWords = /[\s!-/:-@[-`{-~]+/;
const minDigits = 4;

export interface UserSearch {
  all: string;
  /** A tsquery over the words of the name alone, or null if emails and phones may match too. */
  name: string | null;
  /** Only those with an unreachable number. */
  unreachable: boolean;
  /** true: only with free access; false: only without; undefined: both. */
  free: boolean | undefined;
}

/**
 * Returns what to search for; null: all users, undefined: none. A search word matches the start of a word.
 * Punctuation is literal.
 */
export function searchOf({
  search = '',
  byContact,
  subscription,
  ...states
}: UserFilter): UserSearch | null | undefined {
  const terms = [...statesOf(states), ...subscriptionTerms(subscription)];
  const among = {
    unreachable: states.delivery === 'unreachable',
    free: isFreeOf(subscription),
  };
  if (search.trim() !== '') {
    if (!byContact && search.includes('@')) return undefined;
    const words = wordsOf(search);
    const ways = [words, byContact ? digitsOf(search) : null].filter((way) => way !== null);
    if (ways.length === 0) return undefined;
    terms.push(`(${ways.join(' | ')})`);
    if (!byContact) return { all: terms.join(' & '), name: words, ...among };
  }
  return terms.length === 0 ? null : { all: terms.join(' & '), name: null, ...among };
}

/** After their plan has ended, some subscribers have free access. */
function isFreeOf(status: UserFilter['subscription']): boolean | undefined {
  if (status === 'free_access') return true;
  return status === 'expired' || status === 'canceled' ? false : undefined;
}

function subscriptionTerms(status: UserFilter['subscription']): string[] {
  if (status === undefined) return [];
  if (status === 'free_access') return ["('=subscription:expired' | '=subscription:canceled')"];
  return [`'=subscription:${status}'`];
}

function statesOf(filter: Omit<UserFilter, 'byContact' | 'search' | 'subscription'>): string[] {
  const states = [
    filter.status,
    filter.consent && `consent:${filter.consent}`,
    filter.opted_out === undefined ? undefined : `opted_out:${filter.opted_out}`,
    // Not indexed itself; all of them wait for a YES.
    filter.delivery === 'unreachable'
      ? 'consent:pending'
      : filter.delivery && `delivery:${filter.delivery}`,
  ];
  return states.filter((state) => state !== undefined).map((state) => `'=${state}'`);
}

function wordsOf(search: string): string | null {
  const words = search.normalize('NFC').toLowerCase().split(betweenWords).filter(Boolean);
  // Inside quotes, only quotes and backslashes are special, and those separate words.
  return words.length === 0 ? null : `(${words.map((word) => `'${word}':*`).join(' & ')})`;
}

function digitsOf(search: string): string | null {
  const digits = search.replaceAll(/[\s().+-]/g, '');
  return new RegExp(`^\\d{${minDigits},}$`).test(digits) ? `'#${digits}':*` : null;
}

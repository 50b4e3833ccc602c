/**
 * Community counter, kept in the browser. Grows by 3 to 8 each new calendar day. Only `before-paint.ts` imports it, so
 * the count is set before first paint and doesn't change later.
 */
const key = 'community_counter';
/** Increase it to reset all counters to the base. */
const version = 1;
const base = 1288;

export interface StoredCounter {
  version: number;
  count: number;
  /** Calendar day, `2027-03-06`. */
  day: string;
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/** Returns the counter for a day. `random` returns a number from 0 to 1. */
export const advanceCounter = (
  stored: StoredCounter | null,
  today: string,
  random: () => number,
): StoredCounter => {
  if (stored?.version !== version) return { version, count: base, day: today };
  const days = dayNumber(today) - dayNumber(stored.day);
  if (!(days > 0)) return stored;
  let count = stored.count;
  // Cap the growth at one year.
  for (let day = 0; day < Math.min(days, 366); day += 1) count += 3 + Math.floor(random() * 6);
  return { version, count, day: today };
};

const isStoredCounter = (value: Partial<StoredCounter> | null): value is StoredCounter =>
  Number.isSafeInteger(value?.count) && !Number.isNaN(dayNumber(value?.day ?? ''));

const readStored = (): StoredCounter | null => {
  try {
    const value: Partial<StoredCounter> | null = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isStoredCounter(value) ? value : null;
  } catch {
    return null;
  }
};

const store = (counter: StoredCounter): void => {
  try {
    localStorage.setItem(key, JSON.stringify(counter));
  } catch {
    // Without storage, the count stays at the base.
  }
};

/** The visitor's own calendar day. Swedish dates are ISO dates. */
const calendarDay = (date: Date): string => date.toLocaleDateString('sv');

/** Reads, advances and stores the counter. */
export const readCommunityCount = (): number => {
  const counter = advanceCounter(readStored(), calendarDay(new Date()), Math.random);
  store(counter);
  return counter.count;
};

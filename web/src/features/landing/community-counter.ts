import { createBrowserStorage } from '../../components/browser-storage.ts';

/** Community counter, kept in the browser. Grows by 3 to 8 each new calendar day. */
const kept = createBrowserStorage('device', 'community_counter');
/** Increase it to reset all counters to the base. */
const version = 1;
export const base = 1288;

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

const isStoredCounter = (value: unknown): value is StoredCounter =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  'count' in value &&
  'day' in value &&
  Number.isSafeInteger(value.count) &&
  typeof value.day === 'string' &&
  !Number.isNaN(dayNumber(value.day));

const readStored = (): StoredCounter | null => {
  const value = kept.read();
  return isStoredCounter(value) ? value : null;
};

/** The visitor's own calendar day. */
const calendarDay = (date: Date): string =>
  [
    date.getFullYear(),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-');

/** Reads, advances and stores the counter. Without storage it stays at the base. */
export const readCommunityCount = (): number => {
  const counter = advanceCounter(readStored(), calendarDay(new Date()), Math.random);
  kept.write(counter);
  return counter.count;
};

import { countLimit } from '@daylift/contracts/freeze.http';
import { formatCount } from '@daylift/ui/formats';

/** A count that stops at its limit. */
export const boundedCount = (count: number): string =>
  count >= countLimit ? `more than ${formatCount(countLimit)}` : formatCount(count);

export const texts = (count: number): string =>
  count === 1 ? '1 text' : `${boundedCount(count)} texts`;

export const people = (count: number): string =>
  count === 1 ? '1 person' : `${formatCount(count)} people`;

/** `45 seconds`, `about 3 minutes`, `about 2 hours`. */
export const inTime = (seconds: number): string => {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} minutes` : `about ${Math.round(minutes / 60)} hours`;
};

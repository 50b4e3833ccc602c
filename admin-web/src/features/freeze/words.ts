import { countLimit } from '@daylift/contracts/limits';
import { formatCount } from '@daylift/ui/formats';

/** Returns the count, or "more than" its limit. */
export const boundedCount = (count: number): string =>
  count >= countLimit ? `more than ${formatCount(countLimit)}` : formatCount(count);

export const texts = (count: number): string =>
  count === 1 ? '1 text' : `${boundedCount(count)} texts`;

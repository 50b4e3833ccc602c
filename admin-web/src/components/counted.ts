import { formatCount } from '@daylift/ui/formats';

/** Returns a count with its noun: `1 text`, `2,000 texts`. */
export const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const people = (count: number): string => counted(count, 'person', 'people');

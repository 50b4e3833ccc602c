import { expect, it } from 'vitest';
import { exceeds } from './exceeds.ts';

const over = { pending: 0, is_quiet: true };

it.each([
  ['a quarter of a batch that is over', { successful: 15, failed: 5, ...over }, true],
  ['exactly the threshold', { successful: 16, failed: 4, ...over }, false],
  ['less than the threshold', { successful: 17, failed: 3, ...over }, false],
  ['fewer than twenty texts, all failed', { successful: 0, failed: 19, ...over }, false],
  ['nothing at all', { successful: 0, failed: 0, ...over }, false],
  [
    'a quarter of the first twenty of a thousand',
    { successful: 15, failed: 5, pending: 980, is_quiet: false },
    false,
  ],
  [
    'a quarter of twenty while more may be released',
    { successful: 15, failed: 5, pending: 0, is_quiet: false },
    false,
  ],
  [
    'all of the first twenty of a thousand',
    { successful: 0, failed: 20, pending: 980, is_quiet: false },
    true,
  ],
  [
    'a quarter of two thousand with more to come',
    { successful: 1_500, failed: 500, pending: 50_000, is_quiet: false },
    true,
  ],
] as const)('%s', (_what, tally, alerts) => {
  expect(exceeds(tally, 20)).toBe(alerts);
});

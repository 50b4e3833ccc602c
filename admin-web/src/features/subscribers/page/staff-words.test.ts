import { expect, test } from 'vitest';
import { centsOf } from './staff-words.ts';

test.each([
  ['4.49', 449],
  [' £4.49 ', 449],
  ['€5', 500],
  ['$0.5', 50],
  ['4.499', null],
  ['£', null],
  ['0', null],
])('reads the amount %s', (typed, cents) => {
  expect(centsOf(typed)).toBe(cents);
});

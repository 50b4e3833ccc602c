import { expect, test } from 'vitest';
import { problemOf } from './password-change.ts';

test.each([
  ['', 'sunrise', 'sunrise', 'Please fill in all required fields'],
  ['old one', '', 'sunrise', 'Please fill in all required fields'],
  ['old one', 'sunrise', '', 'Please fill in all required fields'],
  ['old one', 'sunrise', 'sunset', 'New passwords do not match'],
  ['old one', 'dawn', 'dawn', 'Password must be at least 6 characters long'],
  ['old one', 'sunset', 'sunset', null],
])('a change from "%s" to "%s", confirmed by "%s", is told: %s', (current, next, confirm, told) => {
  expect(problemOf({ current, next, confirm })).toBe(told);
});

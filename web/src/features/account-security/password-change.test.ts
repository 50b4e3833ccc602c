import { expect, test } from 'vitest';
import { problemOf } from './password-change.ts';

test.each([
  ['', 'sunrise', 'sunrise', 'Please fill in all required fields', ['current']],
  ['old one', '', 'sunrise', 'Please fill in all required fields', ['next']],
  ['old one', 'sunrise', '', 'Please fill in all required fields', ['confirm']],
  ['', '', '', 'Please fill in all required fields', ['current', 'next', 'confirm']],
  ['old one', 'sunrise', 'sunset', 'New passwords do not match', ['confirm']],
  ['old one', 'dawn', 'dawn', 'Password must be at least 6 characters long', ['next']],
])('a change from "%s" to "%s", confirmed by "%s", shows: %s, at %s', (...given) => {
  const [current, next, confirm, message, fields] = given;
  expect(problemOf({ current, next, confirm })).toEqual({ message, fields });
});

test('a valid change shows nothing', () => {
  expect(problemOf({ current: 'old one', next: 'sunset', confirm: 'sunset' })).toBeNull();
});

import { expect, test } from 'vitest';
import { unitArguments } from './test-parts.ts';

test.each([
  [[], []],
  [['accounts'], ['--project', 'accounts']],
  [
    ['accounts', 'web', 'login', '-t', 'a name'],
    ['--project', 'accounts', '--project', 'web', 'login', '-t', 'a name'],
  ],
  [['login'], ['login']],
])('names of projects choose them, the rest goes to vitest: %j', (given, expected) => {
  expect(unitArguments(given)).toEqual(expected);
});

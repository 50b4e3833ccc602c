import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
  [['LogIn'], ['LogIn']],
  [
    ['./services/accounts/src/sessions/logout.test.ts:12'],
    ['./services/accounts/src/sessions/logout.test.ts:12'],
  ],
  [
    ['-t', 'a name'],
    ['-t', 'a name'],
  ],
])('project names select projects, the rest goes to vitest: %j', (given, expected) => {
  expect(unitArguments(given)).toEqual(expected);
});

test.each(['acounts', 'telemetry'])(
  'a misspelled project is reported with the valid ones: unit %s',
  (name) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'test.ts'), 'unit', name],
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(
      new RegExp(
        `^"${name}" is neither a project .* Projects: contracts, .*accounts, .*secrets\\.$`,
      ),
    );
  },
);

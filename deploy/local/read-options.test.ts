import { expect, test } from 'vitest';
import { LauncherError } from './failure.ts';
import { readOptions } from './read-options.ts';

const options = { live: { type: 'boolean' }, texts: { type: 'string' } } as const;

test.each([
  [['--liv'], "Unknown option '--liv'. Available: --live, --texts …"],
  [['--texts'], "Option '--texts <value>' argument missing. Available: --live, --texts …"],
  [['--texts', '--live'], "Option '--texts' argument is ambiguous. Available: --live, --texts …"],
  [['--live=yes'], "Option '--live' does not take an argument. Available: --live, --texts …"],
])('%j is rejected with the available options', (args, message) => {
  expect(() => readOptions(options, { args })).toThrow(new LauncherError(message));
});

test('returns options and the rest', () => {
  const args = ['--texts', '5', 'send'];
  expect(readOptions(options, { args, allowPositionals: true })).toMatchObject({
    values: { texts: '5' },
    positionals: ['send'],
  });
});

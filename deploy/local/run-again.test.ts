import { hourMs } from '@daylift/clock/durations';
import { describe, expect, it } from 'vitest';
import { runAgain } from './run-again.ts';
import { emptyTally, type Tally } from './tally-reporter.ts';

const failed = (failures: string[], ms = 1_000): Tally => ({
  ...emptyTally(),
  passed: 10,
  failed: failures.length,
  failures,
  failedFiles: { paths: ['/a.test.ts'], ms },
});

describe('A whole run', () => {
  it('counts what passes the second time, names it, and keeps what fails again', async () => {
    const lines: string[] = [];
    const asked: string[][] = [];
    const tally = await runAgain(
      failed(['a.test.ts > one', 'a.test.ts > two']),
      (line) => lines.push(line),
      async (paths) => {
        asked.push(paths);
        return { ...failed(['a.test.ts > two']), passed: 5 };
      },
    );
    expect(asked).toEqual([['/a.test.ts']]);
    expect(tally).toMatchObject({ passed: 11, failed: 1, failures: ['a.test.ts > two'] });
    expect(lines.join('\n')).toContain('failed at first: a.test.ts > one');
  });

  it.each([
    ['nothing failed', emptyTally()],
    ['it takes too long', failed(['a.test.ts > one'], hourMs)],
    ['something failed outside of every file', failed(['an error outside of any test'])],
  ])('is not run again when %s', async (_name, first) => {
    const again = () => Promise.reject(new Error('it was run again'));
    expect(await runAgain(first, () => undefined, again)).toBe(first);
  });
});

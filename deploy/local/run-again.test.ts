import { join } from 'node:path';
import { hourMs } from '@daylift/clock/durations';
import { describe, expect, it } from 'vitest';
import { repoRoot } from './layout.ts';
import { runAgain } from './run-again.ts';
import { emptyTally, type Tally } from './tally-reporter.ts';

const [a, b] = [join(repoRoot, 'a.test.ts'), join(repoRoot, 'b.test.ts')];
const passed = { ...emptyTally(), passed: 5 };
const failed = (failures: string[], paths = [a], ms = 1_000): Tally => ({
  ...emptyTally(),
  passed: 10,
  failed: failures.length,
  failures,
  failedFiles: { paths, ms },
});

/** Runs files again with these results, one after the other, and records which files were run. */
async function runWith(first: Tally, results: Tally[]) {
  const lines: string[] = [];
  const runs: string[][] = [];
  const tally = await runAgain(
    first,
    (line) => lines.push(line),
    async (paths) => {
      runs.push(paths);
      return results.shift() ?? Promise.reject(new Error('it was run too often'));
    },
  );
  return { tally, runs, printed: lines.join('\n') };
}

describe('A whole run', () => {
  it('counts a file that passes twice after a failure as passed, and names it as flaky', async () => {
    const { tally, runs, printed } = await runWith(failed(['a > one']), [passed, passed]);
    expect(runs).toEqual([[a], [a]]);
    expect(tally).toMatchObject({ passed: 11, failed: 0, failures: [], flaky: ['a.test.ts'] });
    expect(printed).toContain('failed at first: a > one');
  });

  it('fails a file that fails again, without a third try', async () => {
    const { tally, runs } = await runWith(failed(['a > one', 'a > two']), [failed(['a > two'])]);
    expect(runs).toEqual([[a]]);
    expect(tally).toMatchObject({ passed: 11, failed: 1, failures: ['a > two'], flaky: [] });
  });

  it('fails a file that fails in two of three tries', async () => {
    const results = [failed(['b > one'], [b]), failed(['a > one'])];
    const { tally, runs } = await runWith(failed(['a > one', 'b > one'], [a, b]), results);
    expect(runs).toEqual([[a, b], [a]]);
    expect(tally).toMatchObject({ failed: 2, failures: ['b > one', 'a > one'], flaky: [] });
  });

  it.each([
    ['nothing failed', emptyTally()],
    ['it takes too long', failed(['a > one'], [a], hourMs)],
    ['something failed outside of every file', failed(['an error outside of any test'])],
  ])("isn't repeated when %s", async (_name, first) => {
    expect((await runWith(first, [])).tally).toBe(first);
  });
});

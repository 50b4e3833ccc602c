import { relative } from 'node:path';
import { minuteMs } from '@daylift/clock/durations';
import type { Print } from './console.ts';
import { repoRoot } from './layout.ts';
import { emptyTally, sumOf, type Tally } from './tally-reporter.ts';

/** More failures or more time can't be explained by a busy machine. */
const maxFiles = 6;
const maxMs = 15 * minuteMs;

/**
 * Gives files with a failure two more tries. Files that fail twice have failed; files that fail once are flaky: they count
 * as passed and are named in the summary.
 */
export async function runAgain(
  first: Tally,
  print: Print,
  run: (paths: string[]) => Promise<Tally>,
): Promise<Tally> {
  const { paths, ms } = first.failedFiles;
  // A failure outside of a file can't be retried.
  const failedOutsideFiles = first.failures.some((name) => name.startsWith('an error outside'));
  if (paths.length === 0 || paths.length > maxFiles || ms > maxMs || failedOutsideFiles)
    return first;
  print(`\n${paths.length} file(s) with failures run up to two more times:`);
  for (const failure of first.failures) print(`failed at first: ${failure}`);
  const second = await run(paths);
  const passedOnce = without(paths, second.failedFiles.paths);
  const third = passedOnce.length > 0 ? await run(passedOnce) : emptyTally();
  const { failed, failures, failedFiles, skipped, files, cpuSeconds } = sumOf([second, third]);
  return {
    passed: first.passed + Math.max(0, first.failed - failed),
    failed,
    failures,
    failedFiles,
    flaky: without(passedOnce, third.failedFiles.paths).map((path) => relative(repoRoot, path)),
    skipped: [...first.skipped, ...skipped.filter((one) => !isNamed(first, one.name))],
    files: [...first.files, ...files],
    cpuSeconds: first.cpuSeconds + cpuSeconds,
  };
}

const without = (all: string[], some: string[]): string[] =>
  all.filter((one) => !some.includes(one));

const isNamed = (tally: Tally, name: string): boolean =>
  tally.skipped.some((one) => one.name === name);

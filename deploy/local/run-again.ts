import { minuteMs } from '@daylift/clock/durations';
import type { Print } from './console.ts';
import type { Tally } from './tally-reporter.ts';

/** More files or more time than this is no accident of a busy machine. */
const mostFiles = 6;
const longestMs = 15 * minuteMs;

/**
 * Gives the files with a failure one more run, without the others beside them. What passes then counts as passed and is
 * named, so that a test that depends on the load of the machine is seen and can be mended.
 */
export async function runAgain(
  first: Tally,
  print: Print,
  run: (paths: string[]) => Promise<Tally>,
): Promise<Tally> {
  const { paths, ms } = first.failedFiles;
  // A failure outside of every file is not undone by any of them.
  const elsewhere = first.failures.some((name) => name.startsWith('an error outside'));
  if (paths.length === 0 || paths.length > mostFiles || ms > longestMs || elsewhere) return first;
  print(`\n${paths.length} file(s) with failures run once more:`);
  for (const failure of first.failures) print(`failed at first: ${failure}`);
  const second = await run(paths);
  const mended = Math.max(0, first.failed - second.failed);
  return {
    ...second,
    passed: first.passed + mended,
    files: [...first.files, ...second.files],
    skipped: [...first.skipped, ...second.skipped.filter((one) => !isNamed(first, one.name))],
  };
}

const isNamed = (tally: Tally, name: string): boolean =>
  tally.skipped.some((one) => one.name === name);

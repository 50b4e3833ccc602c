import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Results of one vitest run. */
export interface Tally {
  passed: number;
  failed: number;
  failures: string[];
  /** Failed files and their total duration. */
  failedFiles: { paths: string[]; ms: number };
  /** Files that failed first and then passed twice. */
  flaky: string[];
  skipped: { name: string; reason: string }[];
  /** Duration of each file. */
  files: { path: string; ms: number }[];
  /** CPU time of all processes of the run. */
  cpuSeconds: number;
}

export const emptyTally = (): Tally => ({
  passed: 0,
  failed: 0,
  failures: [],
  failedFiles: { paths: [], ms: 0 },
  flaky: [],
  skipped: [],
  files: [],
  cpuSeconds: 0,
});

/** A failure outside of any test. */
export const failureOf = (what: string): Tally => ({
  ...emptyTally(),
  failed: 1,
  failures: [what],
});

export const sumOf = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((sum, it) => sum + it.passed, 0),
  failed: tallies.reduce((sum, it) => sum + it.failed, 0),
  failures: tallies.flatMap((it) => it.failures),
  failedFiles: {
    paths: tallies.flatMap((it) => it.failedFiles.paths),
    ms: tallies.reduce((sum, it) => sum + it.failedFiles.ms, 0),
  },
  flaky: tallies.flatMap((it) => it.flaky),
  skipped: tallies.flatMap((it) => it.skipped),
  files: tallies.flatMap((it) => it.files),
  cpuSeconds: tallies.reduce((sum, it) => sum + it.cpuSeconds, 0),
});

function addModule(tally: Tally, module: TestModule): void {
  tally.files.push({
    path: relative(process.cwd(), module.moduleId),
    ms: module.diagnostic().duration,
  });
  for (const test of module.children.allTests()) {
    const result = test.result();
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    if (result.state === 'passed') tally.passed += 1;
    else if (result.state === 'skipped') {
      tally.skipped.push({ name, reason: result.note ?? 'no reason given' });
    } else {
      tally.failed += 1;
      tally.failures.push(result.state === 'pending' ? `${name} (did not run)` : name);
    }
  }
  if (!module.ok()) {
    tally.failedFiles.paths.push(module.moduleId);
    tally.failedFiles.ms += module.diagnostic().duration;
  }
  const broken = [module, ...module.children.allSuites()].filter((it) => it.errors().length > 0);
  tally.failed += broken.length;
  tally.failures.push(...broken.map((it) => `${module.relativeModuleId} (${it.type})`));
}

/** Writes the tally to the file in TALLY_FILE, in addition to other reporters. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const tally = emptyTally();
    for (const module of modules) addModule(tally, module);
    tally.failed += unhandled.length;
    if (unhandled.length > 0) tally.failures.push('an error outside of any test');
    if (process.env.TALLY_FILE) writeFileSync(process.env.TALLY_FILE, JSON.stringify(tally));
  }
}

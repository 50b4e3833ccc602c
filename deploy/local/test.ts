// `npm test`: everything that can be checked, in order; `npm test -- <part>` runs one part.
import { explainFailure, LauncherError } from './failure.ts';
import { repoRoot } from './layout.ts';
import { chromium, natsServer, redisServer, requirePrograms } from './system-packages.ts';
import type { Tally } from './tally-reporter.ts';
import { checks, runCheck, runVitest, stopRunning, unitArguments } from './test-parts.ts';
import { startTestServers } from './test-servers.ts';

const [part, ...rest] = process.argv.slice(2);
const parts = [...new Set(checks.map((check) => check.part)), 'unit', 'system'];
const wanted = (name: string): boolean => part === undefined || part === name;
const heading = (text: string): void => console.log(`\n== ${text}`);
const print = (line: string): void => console.log(line);
let stopped = false;

/** Browser tests find the browser by CHROMIUM_PATH; without one they fail alone, the rest still runs. */
async function findBrowser(): Promise<Record<string, string>> {
  try {
    const [path = ''] = await requirePrograms([chromium], print);
    return { CHROMIUM_PATH: path };
  } catch (error) {
    console.error(explainFailure(error, repoRoot));
    return {};
  }
}

const setUpFailed = (name: string, error: unknown): Tally => {
  console.error(explainFailure(error, repoRoot));
  return { passed: 0, failed: 1, failures: [`${name} could not be set up`], skipped: [] };
};

async function runUnit(): Promise<Tally> {
  heading('unit and integration');
  try {
    const servers = await startTestServers(print);
    try {
      return await runVitest(unitArguments(rest), servers.env);
    } finally {
      await servers.stop();
    }
  } catch (error) {
    return setUpFailed('unit and integration', error);
  }
}

async function runSystem(): Promise<Tally> {
  heading('the whole system, in a browser too');
  try {
    const browser = await findBrowser();
    await requirePrograms([redisServer, natsServer], print);
    return await runVitest(['--config', 'deploy/vitest.config.ts', ...rest], browser);
  } catch (error) {
    return setUpFailed('system tests', error);
  }
}

async function runParts(): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const check of checks.filter((it) => wanted(it.part))) {
    if (stopped) return tallies;
    heading(check.name);
    tallies.push(await runCheck(check));
  }
  if (wanted('unit') && !stopped) tallies.push(await runUnit());
  if (wanted('system') && !stopped) tallies.push(await runSystem());
  return tallies;
}

function report(tallies: Tally[], seconds: number): number {
  const skipped = tallies.flatMap((tally) => tally.skipped);
  const failures = tallies.flatMap((tally) => tally.failures);
  const sum = (key: 'passed' | 'failed'): number => tallies.reduce((all, it) => all + it[key], 0);
  heading('summary');
  for (const { name, reason } of skipped) console.log(`skipped: ${name} (${reason})`);
  for (const failure of failures) console.log(`failed: ${failure}`);
  const minutes = Math.floor(seconds / 60);
  console.log(`Duration: ${minutes} min ${Math.round(seconds % 60)} s`);
  if (stopped) console.log('The run was stopped before its end.');
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 || stopped ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    stopRunning();
  });
}

if (part !== undefined && !parts.includes(part)) {
  console.error(new LauncherError(`"${part}" is no part. There are: ${parts.join(', ')}.`).message);
  process.exit(1);
}
const begun = performance.now();
const tallies = await runParts();
process.exit(report(tallies, (performance.now() - begun) / 1000));

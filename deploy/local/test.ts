// `npm test`: runs all checks in order; `npm test -- <part>` runs one part.
import { ensureAppsBuilt } from './builds.ts';
import { findChartTools } from './chart-tools.ts';
import { explainFailure, LauncherError } from './failure.ts';
import { repoRoot } from './layout.ts';
import { runAgain } from './run-again.ts';
import { chromium, natsServer, redisServer, requirePrograms } from './system-packages.ts';
import { emptyTally, failureOf, sumOf, type Tally } from './tally-reporter.ts';
import { checks, runCheck, runVitest, stopRunning, unitArguments } from './test-parts.ts';
import { startTestServers } from './test-servers.ts';

const [part, ...rest] = process.argv.slice(2);
const parts = [
  ...new Set(checks.map((check) => check.part)),
  'chart',
  'unit',
  'pages',
  'admin-pages',
  'system',
  'simulation',
];
const wanted = (name: string): boolean => part === undefined || part === name;
const heading = (text: string): void => console.log(`\n== ${text}`);
const print = (line: string): void => console.log(line);
/** Two lanes run in parallel, the parts of a lane in sequence, because tests mostly wait. */
const lanes = [
  [
    ['pages', 'every page, in a browser', 'deploy/system-tests/pages/vitest.config.ts'],
    ['system', 'the whole system', 'deploy/vitest.config.ts'],
  ],
  [
    [
      'admin-pages',
      "every operators' page, in a browser",
      'deploy/system-tests/admin-pages/vitest.config.ts',
    ],
    [
      'simulation',
      'weeks of it, with and without faults',
      'deploy/system-tests/simulation/vitest.config.ts',
    ],
  ],
] as const;
let stopped = false;

/** Returns CHROMIUM_PATH for browser tests. Without a browser only they fail. */
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
  return failureOf(`${name} could not be set up`);
};

/** Built in the background with low priority, because it's needed late. */
const chartTools = wanted('chart')
  ? findChartTools(print)
  : Promise.resolve({ missing: 'they were not asked for' });

/** Checks the rendered chart. Needs helm, which Go builds, but no cluster. */
async function runChart(): Promise<Tally> {
  heading('the chart');
  const tools = await chartTools;
  if ('missing' in tools) {
    const skipped = [{ name: 'the checks of the chart', reason: tools.missing }];
    return { ...emptyTally(), skipped };
  }
  return runVitest(['--config', 'deploy/helm/tests/vitest.config.ts', ...rest], {
    HELM: tools.helm,
    KUBE_SCHEMAS: JSON.stringify(tools.kubeSchemas),
    ...(tools.promtool !== null && { PROMTOOL: tools.promtool }),
  });
}

async function runUnit(): Promise<Tally> {
  heading('unit and integration');
  try {
    const servers = await startTestServers(print);
    try {
      return await runTests(unitArguments(rest), servers.env);
    } finally {
      await servers.stop();
    }
  } catch (error) {
    return setUpFailed('unit and integration', error);
  }
}

/** Runs tests. In a full run, failed files get two more tries. */
async function runTests(args: string[], env: Record<string, string>): Promise<Tally> {
  const first = await runVitest(args, env);
  if (part !== undefined || stopped) return first;
  return runAgain(first, print, (paths) => runVitest([...args, ...paths], env));
}

let machine: Promise<Record<string, string>> | null = null;

/** Prepares what all stacks share, once, because parallel package installations would block each other. */
function prepareMachine(): Promise<Record<string, string>> {
  machine ??= findBrowser().then(async (browser) => {
    await requirePrograms([redisServer, natsServer], print);
    await ensureAppsBuilt(print);
    return browser;
  });
  return machine;
}

async function runSystem(name: string, config: string): Promise<Tally> {
  heading(name);
  try {
    const browser = await prepareMachine();
    return await runTests(['--config', config, ...rest], browser);
  } catch (error) {
    return setUpFailed(name, error);
  }
}

const partTimes: [name: string, ms: number][] = [];

async function timed(name: string, run: () => Promise<Tally>): Promise<Tally> {
  const begun = performance.now();
  const tally = await run();
  partTimes.push([name, performance.now() - begun]);
  return tally;
}

async function runParts(): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const check of checks.filter((it) => wanted(it.part))) {
    if (stopped) return tallies;
    heading(check.name);
    tallies.push(await timed(check.name, () => runCheck(check)));
  }
  if (wanted('unit') && !stopped) tallies.push(await timed('unit', runUnit));
  await Promise.all(
    lanes.map(async (lane, index) => {
      for (const [name, what, config] of lane)
        if (wanted(name) && !stopped)
          tallies.push(await timed(name, () => runSystem(what, config)));
      // The second lane is shorter.
      if (index === 1 && wanted('chart') && !stopped) tallies.push(await timed('chart', runChart));
    }),
  );
  return tallies;
}

const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

/** Prints how long each part and each file took, longest first. */
function reportTimes(files: Tally['files']): void {
  for (const [name, ms] of partTimes.toSorted(([, a], [, b]) => b - a))
    console.log(`${inMinutes(ms / 1000)}: ${name}`);
  for (const { path, ms } of files.toSorted((a, b) => b.ms - a.ms))
    console.log(`${inMinutes(ms / 1000)}: ${path}`);
}

function report(tally: Tally, seconds: number): number {
  heading('summary');
  reportTimes(tally.files);
  for (const { name, reason } of tally.skipped) console.log(`skipped: ${name} (${reason})`);
  for (const path of tally.flaky) console.log(`flaky: ${path}`);
  for (const failure of tally.failures) console.log(`failed: ${failure}`);
  console.log(`Duration: ${inMinutes(seconds)}`);
  if (stopped) console.log('The run was stopped before its end.');
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed > 0 || stopped ? 1 : 0;
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
if (part === 'unit') {
  try {
    unitArguments(rest);
  } catch (error) {
    console.error(explainFailure(error, repoRoot));
    process.exit(1);
  }
}
const begun = performance.now();
const tallies = await runParts();
process.exit(report(sumOf(tallies), (performance.now() - begun) / 1000));

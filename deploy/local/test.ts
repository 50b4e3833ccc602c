// `npm test`: runs all checks; `npm test -- <part>` runs one part.
import { ensureAppsBuilt } from './builds.ts';
import { findChartTools } from './chart-tools.ts';
import {
  containerProjects,
  containerRuns,
  hasDockerEngine,
  startContainerServers,
} from './container-servers.ts';
import { explainFailure, LauncherError } from './failure.ts';
import { compiledDir, repoRoot } from './layout.ts';
import { runAgain } from './run-again.ts';
import { ensureServicesBuilt } from './services-build.ts';
import {
  chromium,
  headlessShell,
  natsServer,
  redisServer,
  requirePrograms,
} from './system-packages.ts';
import { emptyTally, failureOf, sumOf, type Tally } from './tally-reporter.ts';
import { checks, runCheck, runVitest, stopRunning, unitArguments } from './test-parts.ts';
import { startTestServers } from './test-servers.ts';

const [part, ...rest] = process.argv.slice(2);
const wanted = (name: string): boolean => part === undefined || part === name;
const heading = (text: string): void => console.log(`\n== ${text}`);
const print = (line: string): void => console.log(line);
let stopped = false;

/** Returns CHROMIUM_PATH for browser tests. Without a browser only they fail. */
async function findBrowser(): Promise<Record<string, string>> {
  try {
    // Page tests take twice the CPU time in any other installed browser.
    if (process.env.CI) await requirePrograms([headlessShell], print).catch(() => undefined);
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

/** Built in the background with lower priority, because it's needed late. */
const chartTools = wanted('chart')
  ? findChartTools(print)
  : Promise.resolve({ missing: 'not requested' });

/** Checks the rendered chart. Needs helm, which Go builds, but no cluster. */
async function runChart(files = rest): Promise<Tally> {
  heading('the chart');
  const tools = await chartTools;
  if ('missing' in tools) {
    const skipped = [{ name: 'the checks of the chart', reason: tools.missing }];
    return { ...emptyTally(), skipped };
  }
  return runVitest(['--config', 'deploy/helm/tests/vitest.config.ts', ...files], {
    HELM: tools.helm,
    KUBE_SCHEMAS: JSON.stringify(tools.kubeSchemas),
    ...(tools.promtool !== null && { PROMTOOL: tools.promtool }),
  });
}

/** Runs shared preparation once, because parallel package installations would block each other. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => (result ??= make());
};
const installPrograms = once(async () => {
  const browser = await findBrowser();
  await requirePrograms([redisServer, natsServer], print);
  return browser;
});
const buildApps = once(() => ensureAppsBuilt(print));

async function runUnit(args = unitArguments(rest)): Promise<Tally> {
  heading('unit and integration');
  try {
    if (part === undefined) await installPrograms();
    const servers = await startTestServers(print);
    try {
      const env = {
        ...servers.env,
        TEST_SERVICES: await ensureServicesBuilt(),
        NODE_COMPILE_CACHE: compiledDir,
      };
      return await runVitest(args, env);
    } finally {
      await servers.stop();
    }
  } catch (error) {
    return setUpFailed('unit and integration', error);
  }
}

/** Runs the integration tests on each supported version of the servers. */
async function runContainers(): Promise<Tally> {
  const name = 'integration in containers';
  if (!hasDockerEngine())
    return { ...emptyTally(), skipped: [{ name, reason: 'no Docker engine responds' }] };
  const tallies: Tally[] = [];
  for (const images of containerRuns) {
    heading(`integration on ${Object.values(images).join(', ')}`);
    try {
      const servers = await startContainerServers(images);
      try {
        const env = { ...servers.env, TEST_SERVICES: await ensureServicesBuilt() };
        tallies.push(await runVitest([...unitArguments(containerProjects), ...rest], env));
      } finally {
        await servers.stop();
      }
    } catch (error) {
      tallies.push(setUpFailed(name, error));
    }
  }
  return sumOf(tallies);
}

interface Selection {
  args?: string[] | undefined;
  shard?: string[];
  env?: Record<string, string>;
}
async function runWhole(
  what: string,
  folder: string,
  { args = rest, shard = [], env = {} }: Selection = {},
): Promise<Tally> {
  heading(what);
  try {
    const browser = await installPrograms();
    await buildApps();
    const config = ['--config', `${folder}/vitest.config.ts`];
    return await runVitest([...config, ...args, ...shard], { ...browser, ...env });
  } catch (error) {
    return setUpFailed(what, error);
  }
}

/**
 * Nine days, most of them with killed processes, a few payment histories and a small flood of signups. With `--full`,
 * everything at full size.
 */
function runSimulation(files?: string[]): Promise<Tally> {
  const names = rest.filter((one) => one !== '--full');
  const short = {
    CHAOS_PEOPLE: '72',
    MONEY_HISTORIES: '20',
    MONEY_DAYS: '8',
    MONEY_RACES: '10',
    ABUSE_SIGNUPS: '200',
  };
  const isShort = names.length === 0 && !rest.includes('--full');
  return runWhole('days of it, with and without faults', 'deploy/system-tests/simulation', {
    args: files ?? (isShort ? ['chaos', 'money', 'abuse'] : names),
    env: isShort ? short : {},
  });
}

interface Part {
  part: string;
  name: string;
  /** Runs all of its files, or only these. */
  run: (files?: string[]) => Promise<Tally>;
  /** How many places it takes; one by default. */
  places?: number;
}
const whole = (part: string, what: string, folder: string): Part => ({
  part,
  name: part,
  run: (files) => runWhole(what, folder, { args: files }),
});
/** Shards keep all places busy until the end of a full run. */
function systemShard(number: number, of: number): Part {
  const name = `system ${number}/${of}`;
  const shard = [`--shard=${number}/${of}`];
  return {
    part: 'system',
    name,
    run: (files) =>
      runWhole(`the whole system, ${number} of ${of}`, 'deploy', {
        args: files,
        shard: files ? [] : shard,
      }),
  };
}
const system =
  part === undefined
    ? [systemShard(1, 3), systemShard(2, 3), systemShard(3, 3)]
    : [whole('system', 'the whole system', 'deploy')];

/** In starting order: the quick checks, then the longest parts, then those that fill the places. */
const parts: Part[] = [
  ...checks.map((check) => ({
    ...check,
    run: () => {
      heading(check.name);
      return runCheck(check);
    },
  })),
  { part: 'unit', name: 'unit', run: runUnit, places: 2 },
  ...system.slice(0, 1),
  whole('admin-pages', "every operators' page, in a browser", 'admin-web/e2e'),
  whole('pages', 'every page, in a browser', 'web/e2e'),
  { part: 'simulation', name: 'simulation', run: runSimulation },
  ...system.slice(1),
  { part: 'chart', name: 'chart', run: runChart },
];
/** Run only by name: it pulls images and takes three times as long as `unit`. */
const containers: Part = { part: 'containers', name: 'containers', run: runContainers };
/** A part with a stack keeps two thirds of a core busy, so three run on two cores; `unit` runs three files at a time. */
const maxConcurrent = 3;

const partTimes: { name: string; ms: number; cpuSeconds: number }[] = [];

async function runPart(part: Part): Promise<Tally> {
  const startedAt = performance.now();
  const tally = await part.run();
  const { cpuSeconds } = tally;
  partTimes.push({ name: part.name, ms: performance.now() - startedAt, cpuSeconds });
  return tally;
}

interface CompletedPart {
  part: Part;
  tally: Tally;
}

async function runParts(): Promise<CompletedPart[]> {
  const waiting = part === containers.part ? [containers] : parts.filter((it) => wanted(it.part));
  const completed: CompletedPart[] = [];
  const running = new Set<Promise<unknown>>();
  let free = maxConcurrent;
  for (const next of waiting) {
    const { places = 1 } = next;
    while (free < places) await Promise.race(running);
    if (stopped) break;
    free -= places;
    const run = runPart(next).then((tally) => {
      completed.push({ part: next, tally });
      free += places;
      running.delete(run);
    });
    running.add(run);
  }
  await Promise.all(running);
  return completed;
}

/** In a full run, failed files get two more tries, one part at a time: by now the machine isn't busy. */
async function runFailedAgain(completed: CompletedPart[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const { part: one, tally } of completed)
    tallies.push(
      part !== undefined || stopped
        ? tally
        : await runAgain(tally, print, (paths) => one.run(paths)),
    );
  return tallies;
}

const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

/** Prints how long each part took, with its CPU time, and each file, longest first. */
function reportTimes(files: Tally['files']): void {
  for (const { name, ms, cpuSeconds } of partTimes.toSorted((a, b) => b.ms - a.ms))
    console.log(`${inMinutes(ms / 1000)}, ${inMinutes(cpuSeconds)} of CPU: ${name}`);
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
  if (stopped) console.log('The run was stopped.');
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed > 0 || stopped ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    stopRunning();
  });
}

const names = new Set([...parts, containers].map((it) => it.part));
if (part !== undefined && !names.has(part)) {
  console.error(
    new LauncherError(`Unknown part "${part}". Parts: ${[...names].join(', ')}.`).message,
  );
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
const startedAt = performance.now();
const tallies = await runFailedAgain(await runParts());
process.exit(report(sumOf(tallies), (performance.now() - startedAt) / 1000));

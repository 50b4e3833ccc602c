import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { LauncherError } from './failure.ts';
import { repoRoot } from './layout.ts';
import { emptyTally, failureOf, type Tally } from './tally-reporter.ts';
import { unitProjects } from './unit-projects.ts';

interface Check {
  part: string;
  name: string;
  command: string[];
}

const typeProjects = [
  'tsconfig.json',
  'web',
  'admin-web',
  'libs/ui',
  'libs/api-client',
  'web/e2e',
  'admin-web/e2e',
];

export const checks: Check[] = [
  { part: 'lint', name: 'lint', command: ['biome', 'check', '.'] },
  ...typeProjects.map((project) => ({
    part: 'types',
    name: `types of ${project === 'tsconfig.json' ? 'services, libraries and tools' : project}`,
    // Parallel checkers repeat each other's work: four need twice the CPU time of one.
    command: ['tsc', '-p', project, '--noEmit', '--checkers', '1'],
  })),
  { part: 'unused', name: 'unused code', command: ['npm', 'run', '--silent', 'unused'] },
  { part: 'imports', name: 'import directions', command: ['npm', 'run', '--silent', 'imports'] },
];

/** The environment of every command, with the checkout's tools and Node 26. */
const toolEnv = {
  ...process.env,
  PATH: [join(repoRoot, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter),
};

const running = new Set<ChildProcess>();

/** Ends the running command and the run. */
export function stopRunning(): void {
  for (const child of running) child.kill('SIGTERM');
}

interface Ended {
  code: number;
  cpuSeconds: number;
}

/** CPU time of all child processes that have ended, with their descendants. 0 where /proc doesn't exist. */
function cpuSecondsOfChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name in parentheses can contain spaces. After it, user and system time of children are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
let countedCpuSeconds = 0;

function run(command: string[], env: Record<string, string> = {}): Promise<Ended> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: repoRoot,
      env: { ...toolEnv, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    let cpuSeconds = 0;
    const end = (code: number): void => {
      running.delete(child);
      resolve({ code, cpuSeconds });
    };
    child.once('error', (error) => {
      console.error(error.message);
      end(1);
    });
    // A child's time is added when it ends, so the growth is its own, even if another part runs.
    child.once('exit', () => {
      const total = cpuSecondsOfChildren();
      cpuSeconds = total - countedCpuSeconds;
      countedCpuSeconds = total;
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

export async function runCheck(check: Check): Promise<Tally> {
  const { code, cpuSeconds } = await run(check.command);
  if (code === 0) return { ...emptyTally(), passed: 1, cpuSeconds };
  return { ...failureOf(`${check.name}: ${check.command.join(' ')}`), cpuSeconds };
}

function readTally(path: string): Tally {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Tally;
  return failureOf('vitest did not complete');
}

/** Runs vitest and returns the tally. Problems without a test count as one failure. */
export async function runVitest(args: string[], env: Record<string, string>): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'daylift-tally-'));
  const tallyFile = join(folder, 'tally.json');
  try {
    const reporters = ['--reporter=default', '--reporter=./deploy/local/tally-reporter.ts'];
    const { code, cpuSeconds } = await run(['vitest', 'run', ...reporters, ...args], {
      ...env,
      TALLY_FILE: tallyFile,
    });
    const tally = { ...readTally(tallyFile), cpuSeconds };
    if (code === 0 || tally.failed > 0) return tally;
    return { ...tally, failed: 1, failures: [`vitest exited with ${code}`] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Splits `unit accounts billing rest…`: leading project names select projects, the rest goes to vitest. */
export function unitArguments(args: string[]): string[] {
  const end = args.findIndex((arg) => !unitProjects.has(arg));
  const projects = end === -1 ? args : args.slice(0, end);
  const rest = args.slice(projects.length);
  if (projects.length === 0 && rest[0] !== undefined) rejectUnknown(rest[0]);
  return [...projects.flatMap((name) => ['--project', name]), ...rest];
}

/** Throws unless the argument is a project, an option or part of a path. */
function rejectUnknown(arg: string): void {
  if (arg.startsWith('-') || isAbsolute(arg)) return;
  const [part = ''] = normalize(arg).toLowerCase().split(':');
  const patterns = [...unitProjects.values()].map((folder) => `${folder}/**/*.test.ts`);
  const exclude = (path: string) => path.endsWith('node_modules');
  const paths = globSync(patterns, { cwd: repoRoot, exclude });
  if (paths.some((path) => path.toLowerCase().includes(part))) return;
  throw new LauncherError(
    `"${arg}" is neither a project nor part of a test's path. Projects: ${[...unitProjects.keys()].join(', ')}.`,
  );
}

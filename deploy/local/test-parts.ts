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
  'deploy/system-tests/pages',
  'deploy/system-tests/admin-pages',
];

export const checks: Check[] = [
  { part: 'lint', name: 'lint', command: ['biome', 'check', '.'] },
  ...typeProjects.map((project) => ({
    part: 'types',
    name: `types of ${project === 'tsconfig.json' ? 'services, libraries and tools' : project}`,
    command: ['tsc', '-p', project, '--noEmit'],
  })),
  { part: 'unused', name: 'unused code', command: ['knip'] },
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

function run(command: string[], env: Record<string, string> = {}): Promise<number> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: repoRoot,
      env: { ...toolEnv, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    const end = (code: number): void => {
      running.delete(child);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(error.message);
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

export async function runCheck(check: Check): Promise<Tally> {
  const ok = (await run(check.command)) === 0;
  if (ok) return { ...emptyTally(), passed: 1 };
  return failureOf(`${check.name}: ${check.command.join(' ')}`);
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
    const code = await run(['vitest', 'run', ...reporters, ...args], {
      ...env,
      TALLY_FILE: tallyFile,
    });
    const tally = readTally(tallyFile);
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
  if (projects.length === 0 && rest[0] !== undefined) refuseUnknown(rest[0]);
  return [...projects.flatMap((name) => ['--project', name]), ...rest];
}

/** Throws unless the argument is a project, an option or part of a path. */
function refuseUnknown(arg: string): void {
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

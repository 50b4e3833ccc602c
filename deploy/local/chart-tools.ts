import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync } from 'node:fs';
import { constants, homedir, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { minuteMs } from '@daylift/clock/durations';
import type { Print } from './console.ts';
import { findProgram } from './system-packages.ts';

/** What the checks of the chart run with. */
export interface ChartTools {
  helm: string;
  /** Folders of Kubernetes' own client library, which describes every field; by the version of Kubernetes. */
  kubeSchemas: Record<string, string>;
  /** Evaluates the rules of alerts; null where there is none. */
  promtool: string | null;
}

const helmVersion = 'v4.3.1';
/** The versions that Kubernetes itself looks after at this time. */
const kubeVersions = { '1.35': 'v0.35.10', '1.36': 'v0.36.6', '1.37': 'v0.37.2' };

/** Where nobody answers Go the checks are skipped, rather than the whole run held up. */
const longestMs = 15 * minuteMs;

/** Outside of the checkout: built once for all of a machine's. */
const toolsFolder = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'daylift/tools',
  `helm-${helmVersion}`,
);

function go(args: string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let words = '';
    const child = spawn('go', args, {
      // Outside of any module of somebody's; the Go that is here has to do.
      cwd: toolsFolder,
      timeout: longestMs,
      env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false', ...env },
    });
    // It runs beside tests, and must neither slow them down nor outlive them.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    process.once('exit', () => child.kill());
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2000);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(out)
        : reject(new Error(words.trim().split('\n').at(-1) || `it was ended (${args[0]})`)),
    );
  });
}

async function findHelm(print: Print): Promise<string> {
  if (process.env.HELM) return process.env.HELM;
  const built = join(toolsFolder, 'helm');
  if (existsSync(built)) return built;
  print(`Building helm ${helmVersion} (once; some minutes) ...`);
  const draft = join(toolsFolder, `draft-${process.pid}`);
  await go(['install', `helm.sh/helm/v4/cmd/helm@${helmVersion}`], { GOBIN: draft });
  renameSync(join(draft, 'helm'), built);
  return built;
}

/**
 * Prometheus' own tool, out of Debian's package where the machine has none: taken out of the package rather than installed
 * with it, because with it comes a server that starts at once.
 */
async function findPromtool(): Promise<string | null> {
  if (process.env.PROMTOOL) return process.env.PROMTOOL;
  const installed = findProgram({ commands: ['promtool'] });
  if (installed !== null) return installed;
  const unpacked = join(toolsFolder, 'prometheus/usr/bin/promtool');
  if (existsSync(unpacked)) return unpacked;
  const run = promisify(execFile);
  try {
    await run('apt-get', ['download', 'prometheus'], { cwd: toolsFolder });
    const [archive = ''] = globSync('prometheus_*.deb', { cwd: toolsFolder });
    const draft = `prometheus-${process.pid}`;
    await run('dpkg-deb', ['--extract', archive, draft], { cwd: toolsFolder });
    renameSync(join(toolsFolder, draft), join(toolsFolder, 'prometheus'));
    return unpacked;
  } catch {
    return null;
  }
}

async function findKubeSchema(version: string): Promise<string> {
  const answer = await go(['mod', 'download', '-json', `k8s.io/client-go@${version}`]);
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/** The tools, built with Go where they are missing; or why there are none. */
export async function findChartTools(print: Print): Promise<ChartTools | { missing: string }> {
  try {
    mkdirSync(toolsFolder, { recursive: true });
    const folders = await Promise.all(
      Object.entries(kubeVersions).map(
        async ([kube, version]) => [kube, await findKubeSchema(version)] as const,
      ),
    );
    const promtool = await findPromtool();
    return { helm: await findHelm(print), kubeSchemas: Object.fromEntries(folders), promtool };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { missing: 'there is no Go here, which builds helm' };
    return {
      missing: `Go could not build helm: ${error instanceof Error ? error.message : error}`,
    };
  }
}

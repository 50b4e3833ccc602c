import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync } from 'node:fs';
import { constants, homedir, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { minuteMs } from '@daylift/clock/durations';
import type { Print } from './console.ts';
import { findProgram } from './system-packages.ts';

/** Tools for checking the chart. */
export interface ChartTools {
  helm: string;
  /** Folders of Kubernetes client-go, which has the schema of every field, by Kubernetes version. */
  kubeSchemas: Record<string, string>;
  promtool: string | null;
}

const helmVersion = 'v4.3.1';
/** Kubernetes versions that are currently supported. */
const kubeVersions = { '1.35': 'v0.35.10', '1.36': 'v0.36.6', '1.37': 'v0.37.2' };

/** If Go can't download, the checks are skipped instead of blocking the run. A slow build has all the time it needs. */
const idleTimeoutMs = 15 * minuteMs;

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
      // Outside of any Go module, with the installed Go version.
      cwd: toolsFolder,
      env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false', ...env },
    });
    // Runs next to tests: lower priority, and it must not outlive them. At the lowest one, it hardly runs.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    process.once('exit', () => child.kill());
    const idleTimer = setTimeout(() => child.kill(), idleTimeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2000);
      idleTimer.refresh();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(idleTimer);
      const reason = child.killed
        ? `\`go ${args[0]}\` was stopped after ${idleTimeoutMs / minuteMs} minutes without progress`
        : words.trim().split('\n').slice(-3).join(' ');
      if (code === 0) resolve(out);
      else reject(new Error(reason || `\`go ${args[0]}\` failed`));
    });
  });
}

async function findHelm(print: Print): Promise<string> {
  if (process.env.HELM) return process.env.HELM;
  const built = join(toolsFolder, 'helm');
  if (existsSync(built)) return built;
  print(`Building helm ${helmVersion} (once; some minutes) ...`);
  const draft = join(toolsFolder, `draft-${process.pid}`);
  // -v names each package as it is compiled.
  await go(['install', '-v', `helm.sh/helm/v4/cmd/helm@${helmVersion}`], { GOBIN: draft });
  renameSync(join(draft, 'helm'), built);
  return built;
}

/**
 * Finds promtool, or extracts it from Debian's package. Installing the package would also start a Prometheus server.
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
  const output = await go(['mod', 'download', '-json', `k8s.io/client-go@${version}`]);
  return (JSON.parse(output) as { Dir: string }).Dir;
}

/** Returns the tools, building missing ones with Go, or the reason why there are none. */
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
      return { missing: 'Go, which builds helm, is not installed' };
    return {
      missing: `Go could not build helm: ${error instanceof Error ? error.message : error}`,
    };
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@daylift/testing/eventually';
import { parse } from 'yaml';
import { repoRoot } from '../local/layout.ts';
import { chooseFreePorts } from '../local/ports.ts';
import { entryOf, type ProcessName } from '../local/processes.ts';
import type { Stack } from '../local/stack.ts';

export interface SecondReplica {
  url: string;
  port: number;
  /** Stops the process, by default without waiting for clients. Returns the exit code. */
  stop: (signal?: 'SIGINT' | 'SIGTERM') => Promise<number | null>;
}

/** Starts another process of a service with the same settings, except for ports. */
export async function startSecondReplica(
  stack: Stack,
  service: ProcessName,
): Promise<SecondReplica> {
  const first = stack.processes().find((one) => one.name === service);
  if (first === undefined) throw new Error(`${service} is not running`);
  const settings = readFileSync(`/proc/${first.pid}/environ`, 'utf8').split('\0');
  const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const [port = 0, opsPort = 0] = await chooseFreePorts(2);
  const log = openSync(join(stack.layout.logs, `${service}-2.log`), 'a');
  const child = spawn(process.execPath, [entryOf(service)], {
    cwd: repoRoot,
    env: { ...env, PORT: String(port), OPS_PORT: String(opsPort) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  await isReady(service, opsPort, 'beside the first').catch(async (error: unknown) => {
    await ended(child, 'SIGKILL');
    throw error;
  });
  return { url, port, stop: (signal = 'SIGINT') => ended(child, signal) };
}

/** Kills a process and waits until its replacement is ready. */
export async function killAndWait(
  stack: Stack,
  service: ProcessName,
  signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<void> {
  const find = () => stack.processes().find((one) => one.name === service);
  const before = find()?.pid;
  stack.kill(service, signal);
  const fresh = await eventually(
    () => {
      const now = find();
      return now?.pid === before ? null : now;
    },
    { within: 30_000, what: `${service}, started again,` },
  );
  await isReady(service, fresh.opsPort, 'started again');
}

/** The chart's settings of each process. */
export const chart = parse(
  readFileSync(join(repoRoot, 'deploy/helm/daylift/values.yaml'), 'utf8'),
) as {
  workloads: Record<ProcessName, { start: string }>;
};

/** Calls the chart's startup probe. */
const isReady = (service: ProcessName, opsPort: number, why: string) =>
  eventually(
    () =>
      fetch(`http://127.0.0.1:${opsPort}${chart.workloads[service].start}`).then(({ ok }) => ok),
    { within: 60_000, what: `${service}, ${why},` },
  );

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return exit;
}

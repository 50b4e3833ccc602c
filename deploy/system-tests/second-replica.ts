import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eventually } from '@daylift/testing/eventually';
import { chooseFreePorts } from '../local/ports.ts';
import type { Stack } from '../local/stack.ts';

/** Another process of a service beside the one that runs, with all its settings but the port. */
export async function startSecondReplica(
  stack: Stack,
  service: 'scheduler',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const first = stack.processes().find((one) => one.name === service);
  if (first === undefined) throw new Error(`${service} does not run`);
  const settings = readFileSync(`/proc/${first.pid}/environ`, 'utf8').split('\0');
  const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const [port = 0] = await chooseFreePorts(1);
  const child = spawn(process.execPath, [`services/${service}/src/main.ts`], {
    cwd: new URL('../..', import.meta.url).pathname,
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  await eventually(isReady, { within: 60_000, what: `the second ${service}` });
  return { url, stop: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

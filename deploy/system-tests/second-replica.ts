import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eventually } from '@daylift/testing/eventually';
import { chooseFreePorts } from '../local/ports.ts';
import type { Stack } from '../local/stack.ts';

const entryOf = {
  scheduler: 'services/scheduler/src/main.ts',
  'sms-worker': 'services/sms-gateway/src/worker.ts',
};

/** Another process of a service beside the one that runs, with all its settings but the port. */
export async function startSecondReplica(
  stack: Stack,
  service: keyof typeof entryOf,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const first = stack.processes().find((one) => one.name === service);
  if (first === undefined) throw new Error(`${service} does not run`);
  const settings = readFileSync(`/proc/${first.pid}/environ`, 'utf8').split('\0');
  const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const [port = 0] = await chooseFreePorts(1);
  const child = spawn(process.execPath, [entryOf[service]], {
    cwd: new URL('../..', import.meta.url).pathname,
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await isReady(url, `the second ${service}`);
  return { url, stop: () => ended(child) };
}

/** Ends a process at once, and waits until it has been started again and is ready. */
export async function killAndWait(stack: Stack, service: string): Promise<void> {
  const find = () => stack.processes().find((one) => one.name === service);
  const before = find()?.pid;
  stack.kill(service, 'SIGKILL');
  const fresh = await eventually(() => {
    const now = find();
    return now?.pid === before ? null : now;
  });
  await isReady(`http://127.0.0.1:${fresh.port}`, `${service}, started again,`);
}

const isReady = (url: string, what: string) =>
  eventually(() => fetch(`${url}/readyz`).then((answer) => answer.ok), { within: 60_000, what });

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

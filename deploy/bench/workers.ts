import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../local/layout.ts';
import { chooseFreePorts, waitUntil } from '../local/ports.ts';
import { entryOf, nodeFlagsOf } from '../local/processes.ts';
import type { Stack } from '../local/stack.ts';

const START_MS = 60_000;

/** Starts more workers with the environment of the stack's own one. */
export async function startWorkers(
  stack: Pick<Stack, 'processes'>,
  count: number,
): Promise<{ stop(): void }> {
  const worker = stack.processes().find(({ name }) => name === 'sms-worker');
  if (worker === undefined) throw new Error('sms-worker is not running');
  const env = Object.fromEntries(
    readFileSync(`/proc/${worker.pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
  const ports = await chooseFreePorts(count * 2);
  const children: ChildProcess[] = [];
  for (let index = 0; index < count; index += 1) {
    const opsPort = ports[index * 2 + 1];
    const child = spawn(
      process.execPath,
      [...nodeFlagsOf('sms-worker'), join(repoRoot, entryOf('sms-worker'))],
      {
        cwd: repoRoot,
        env: { ...env, PORT: String(ports[index * 2]), OPS_PORT: String(opsPort) },
        stdio: 'ignore',
      },
    );
    children.push(child);
    const isUp = await waitUntil(() => isReady(opsPort), START_MS, 100);
    if (!isUp) throw new Error('An additional worker did not start within a minute.');
  }
  return {
    stop: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

async function isReady(opsPort: number | undefined): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok;
  } catch {
    return false;
  }
}

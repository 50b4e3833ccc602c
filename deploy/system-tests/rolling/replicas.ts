import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessName } from '../../local/processes.ts';
import type { Stack } from '../../local/stack.ts';
import { killAndWait, startSecondReplica } from '../second-replica.ts';
import type { Balancer } from './balancer.ts';

export interface Workload {
  name: ProcessName;
  /**
   * Replaces its replicas one by one, like a Deployment with a preStop hook: removes one from the balancer, sends
   * SIGTERM, and adds the next once it's ready. Returns exit codes.
   */
  restart: () => Promise<string[]>;
  stop: () => Promise<unknown>;
}

/** Starts a second replica and adds it to the balancer. */
export async function doubled(
  stack: Stack,
  name: ProcessName,
  balancer: Balancer,
): Promise<Workload> {
  const own = stack.processes().find((one) => one.name === name);
  if (own === undefined) throw new Error(`${name} is not running`);
  let second = await startSecondReplica(stack, name);
  balancer.add(second.port);
  const restartOwn = async () => {
    balancer.remove(own.port);
    await killAndWait(stack, name, 'SIGTERM');
    balancer.add(own.port);
    return lastEnd(stack, name);
  };
  const restartSecond = async () => {
    balancer.remove(second.port);
    const code = await second.stop('SIGTERM');
    second = await startSecondReplica(stack, name);
    balancer.add(second.port);
    return `exit code ${code}`;
  };
  return {
    name,
    restart: async () => [await restartOwn(), await restartSecond()],
    stop: () => second.stop(),
  };
}

function lastEnd(stack: Stack, name: ProcessName): string {
  const log = readFileSync(join(stack.layout.logs, `${name}.log`), 'utf8');
  return log.match(/(?<=-- exited \().*(?=\); restarting)/g)?.at(-1) ?? '';
}

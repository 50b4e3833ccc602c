import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { requiredSetting } from './servers.ts';

export const servicesFolder = join(import.meta.dirname, '../../../services');

const { NODE_COMPILE_CACHE } = process.env;
/** Halves the CPU time of a start. */
const compileCache: Record<string, string> =
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Ends a process when its parent, even if killed, closes the pipe. */
const endWithParent =
  "data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGKILL')).resume().unref()";

export interface RunningProcess {
  url: string;
  /** Serves probes and metrics. */
  opsUrl: string;
  /** Returns all log lines. */
  log(): string[];
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a bundled service on a free port, as `npm start` does, and waits until it's ready. */
export async function startProcess(
  name: string,
  env: Record<string, string>,
  bundles = requiredSetting('TEST_SERVICES'),
): Promise<RunningProcess> {
  const args = ['--import', endWithParent, join(bundles, `${name}.mjs`)];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...compileCache, PORT: '0', OPS_PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const ended = once(child, 'exit');
  const { url, opsUrl } = await new Promise<Pick<RunningProcess, 'url' | 'opsUrl'>>(
    (resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue;
        createInterface({ input: stream }).on('line', (line) => {
          lines.push(line);
          if (!line.includes('"msg":"ready"')) return;
          const { address, ops_address } = JSON.parse(line);
          resolve({ url: address, opsUrl: ops_address });
        });
      }
      child.once('exit', () => reject(new Error(`${name} ended: ${lines.join('\n')}`)));
    },
  );
  return {
    url,
    opsUrl,
    log: () => lines,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      await ended;
    },
  };
}

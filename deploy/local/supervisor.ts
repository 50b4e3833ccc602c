import type { Print } from './console.ts';
import { LauncherError } from './failure.ts';
import { waitUntil } from './ports.ts';
import { createProcessList } from './process-list.ts';
import { type ProcessSpec, SupervisedProcess } from './supervised-process.ts';

export interface RunningProcess {
  name: string;
  pid: number;
  port: number;
  opsPort: number;
}

export interface Supervisor {
  start: (spec: ProcessSpec) => Promise<void>;
  stop: (names: string[]) => Promise<void>;
  whileDown: (name: string, work: () => Promise<void> | void) => Promise<void>;
  kill: (name: string, signal: NodeJS.Signals) => void;
  processes: () => RunningProcess[];
  restartCount: () => number;
  crashLoops: () => string[];
  /** Waits until a part is up. Throws an error if it takes too long, or if a process keeps exiting. */
  waitFor: (name: string, isUp: () => Promise<boolean>, timeoutMs: number) => Promise<void>;
  close: () => void;
}

export function createSupervisor(options: {
  logsDir: string;
  runDir: string;
  print: Print;
}): Supervisor {
  const list = createProcessList(options.runDir);
  const table = new Map<string, SupervisedProcess>();
  const find = (name: string): SupervisedProcess => {
    const found = table.get(name);
    if (!found) throw new LauncherError(`Unknown process: ${name}.`);
    return found;
  };
  const crashLoops = (): string[] =>
    [...table.values()].filter((it) => it.isInCrashLoop).map((it) => it.describeCrashLoop());
  return {
    start: async (spec) => {
      const added = new SupervisedProcess(spec, { ...options, list });
      table.set(spec.name, added);
      await added.start();
    },
    stop: async (names) => {
      await Promise.all(names.map((name) => table.get(name)?.stop()));
    },
    whileDown: (name, work) => find(name).whileDown(work),
    kill: (name, signal) => find(name).kill(signal),
    processes: () =>
      [...table.values()].flatMap(({ pid, spec }) =>
        pid ? [{ name: spec.name, pid, port: spec.port, opsPort: spec.opsPort ?? spec.port }] : [],
      ),
    restartCount: () => [...table.values()].reduce((sum, { restarts }) => sum + restarts, 0),
    crashLoops,
    waitFor: async (name, isUp, timeoutMs) => {
      const done = async () => crashLoops().length > 0 || (await isUp());
      const inTime = await waitUntil(done, timeoutMs);
      const loops = crashLoops();
      if (loops.length > 0)
        throw new LauncherError(`Daylift could not start.\n${loops.join('\n')}`);
      if (!inTime) throw new LauncherError(`${name} was not ready within ${timeoutMs / 1000} s.`);
    },
    close: () => {
      for (const it of table.values()) it.close();
      list.close();
    },
  };
}

import type { Print } from './console.ts';
import { LauncherError } from './failure.ts';
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
    crashLoops: () =>
      [...table.values()].filter((it) => it.isInCrashLoop).map((it) => it.describeCrashLoop()),
    close: () => {
      for (const it of table.values()) it.close();
      list.close();
    },
  };
}

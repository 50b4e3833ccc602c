import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';
import { runProgram } from './run-program.ts';

/** Process record, for cleanup by another process. */
interface ListedProcess extends ProcessIdentity {
  stopSignal: NodeJS.Signals;
  name: string;
}

/** Record of the launcher's processes. A separate reaper ends them if the launcher dies. */
export interface ProcessList {
  /** Environment variables that mark each process, for cleanup of one that isn't listed yet. */
  mark: Record<string, string>;
  add: (pid: number, stopSignal: NodeJS.Signals, name: string) => void;
  remove: (pid: number) => void;
  close: () => void;
}

/** Contains pid and start time of the launcher and an id, because one process can start several stacks. */
const listName = /^processes-((\d+)-([^-]+)-[^-]+)\.list$/;

function toLine(entry: ListedProcess): string {
  return `${entry.pid} ${entry.started} ${entry.stopSignal.replace('SIG', '')} ${entry.name}\n`;
}

const markName = 'DAYLIFT_LAUNCHER';
const reaper = join(import.meta.dirname, 'reaper.sh');

function startReaper(path: string, mark: string): { release: () => void } {
  const child = spawn('/bin/sh', [reaper, path, mark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  if (child.stdin && 'unref' in child.stdin) (child.stdin as { unref(): void }).unref();
  return { release: () => child.stdin?.end() };
}

export function createProcessList(runDir: string): ProcessList {
  const own = identityOf(process.pid);
  const mark = `${own.pid}-${own.started}-${randomBytes(4).toString('hex')}`;
  const path = join(runDir, `processes-${mark}.list`);
  const entries = new Map<number, ListedProcess>();
  const write = (): void => {
    writeFileSync(`${path}.draft`, [...entries.values()].map(toLine).join(''));
    renameSync(`${path}.draft`, path);
  };
  write();
  const { release } = startReaper(path, `${markName}=${mark}`);
  return {
    mark: { [markName]: mark },
    add: (pid, stopSignal, name) => {
      entries.set(pid, { ...identityOf(pid), stopSignal, name });
      write();
    },
    remove: (pid) => {
      entries.delete(pid);
      write();
    },
    close: release,
  };
}

/** Ends processes that a dead launcher and its reaper left running on this data directory. */
export async function endStaleProcesses(runDir: string): Promise<void> {
  for (const file of readdirSync(runDir)) {
    const [, mark = '', pid, started = ''] = listName.exec(file) ?? [];
    if (!pid || isAlive({ pid: Number(pid), started })) continue;
    await runProgram('/bin/sh', [reaper, join(runDir, file), `${markName}=${mark}`]);
  }
}

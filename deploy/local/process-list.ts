import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf, isAlive, type ProcessIdentity, signalProcess } from './process-identity.ts';

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

function fromLine(line: string): ListedProcess | null {
  const [pid, started, signal, name] = line.split(' ');
  if (!pid || !started || !signal || !name) return null;
  return { pid: Number(pid), started, stopSignal: `SIG${signal}` as NodeJS.Signals, name };
}

const markName = 'DAYLIFT_LAUNCHER';

function startReaper(path: string, mark: string): { release: () => void } {
  const reaper = spawn('/bin/sh', [join(import.meta.dirname, 'reaper.sh'), path, mark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  reaper.on('error', () => undefined);
  reaper.stdin?.on('error', () => undefined);
  reaper.unref();
  if (reaper.stdin && 'unref' in reaper.stdin) (reaper.stdin as { unref(): void }).unref();
  return { release: () => reaper.stdin?.end() };
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
  const reaper = startReaper(path, `${markName}=${mark}`);
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
    close: () => reaper.release(),
  };
}

async function endAll(processes: ListedProcess[]): Promise<void> {
  for (const entry of processes) if (isAlive(entry)) signalProcess(entry.pid, entry.stopSignal);
  for (let waited = 0; waited < 8000 && processes.some(isAlive); waited += 50) await delay(50);
  for (const entry of processes) if (isAlive(entry)) signalProcess(entry.pid, 'SIGKILL');
  for (let waited = 0; waited < 2000 && processes.some(isAlive); waited += 50) await delay(50);
}

/** Returns marked processes that aren't listed: started just when their launcher was killed. */
function findMarked(mark: string): ListedProcess[] {
  if (!existsSync('/proc/self/environ')) return [];
  const wanted = `${markName}=${mark}`;
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && environmentOf(entry).includes(wanted))
    .map((pid) => ({ ...identityOf(Number(pid)), stopSignal: 'SIGKILL', name: `process ${pid}` }));
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Stops processes that dead launchers left running on this data directory, and returns what it found. */
export async function endStaleProcesses(runDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of readdirSync(runDir)) {
    const match = listName.exec(file);
    if (!match) continue;
    const [, mark = '', pid, started = ''] = match;
    if (isAlive({ pid: Number(pid), started })) continue;
    const path = join(runDir, file);
    const lines = readFileSync(path, 'utf8').split('\n').map(fromLine);
    const alive = lines.filter((entry) => entry !== null && isAlive(entry)) as ListedProcess[];
    await endAll(alive);
    await endAll(findMarked(mark));
    found.push(...alive.map((entry) => entry.name));
    rmSync(path, { force: true });
  }
  return found;
}

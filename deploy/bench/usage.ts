import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '../local/stack.ts';

/** CPU milliseconds by process since its start, with its children. */
export type Cpu = Record<string, number>;

/** Linux counts ended children in hundredths of a second. */
const TICK_MS = 10;
const NS_PER_MS = 1e6;

interface Stat {
  parent: number;
  ownMs: number;
  /** Of children that ended. */
  endedMs: number;
}

export function readCpu(stack: Pick<Stack, 'processes'>): Cpu {
  const stats = readStats();
  const totalOf = (pid: number): number => {
    const stat = stats.get(pid);
    if (stat === undefined) return 0;
    let total = stat.ownMs + stat.endedMs;
    for (const [child, { parent }] of stats) if (parent === pid) total += totalOf(child);
    return total;
  };
  return Object.fromEntries(stack.processes().map(({ name, pid }) => [name, totalOf(pid)]));
}

function readStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const line = ifAlive(() => readFileSync(`/proc/${entry}/stat`, 'utf8'));
    if (line === null) continue;
    // The name in parentheses can contain spaces.
    const fields = line
      .slice(line.lastIndexOf(') ') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, endedUser = 0, endedSystem = 0] = [fields[1], ...fields.slice(13, 15)];
    stats.set(Number(entry), {
      parent,
      ownMs: readThreadsMs(entry),
      endedMs: (endedUser + endedSystem) * TICK_MS,
    });
  }
  return stats;
}

/** Exact. In hundredths of a second, a process that often runs for less counts a fifth too much. */
function readThreadsMs(pid: string): number {
  const threads = ifAlive(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const lines = threads.map(
    (thread) => ifAlive(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')) ?? '0',
  );
  return lines.reduce((sum, line) => sum + Number.parseInt(line, 10), 0) / NS_PER_MS;
}

/** Returns null if the process or thread has ended. */
function ifAlive<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function cpuSince(before: Cpu, after: Cpu): Cpu {
  return Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]),
  );
}

export const sumOf = (cpu: Cpu): number => Object.values(cpu).reduce((sum, ms) => sum + ms, 0);

/** Formats the shares of the processes, the largest first. */
export function describeCpu(cpu: Cpu, divisor: number, unit: string): string {
  return Object.entries(cpu)
    .sort(([, one], [, other]) => other - one)
    .map(([name, ms]) => `${name} ${(ms / divisor).toFixed(2)}`)
    .join(', ')
    .concat(` ${unit}`);
}

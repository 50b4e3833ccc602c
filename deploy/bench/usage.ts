import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '../local/stack.ts';

/** CPU milliseconds by process since its start, with its children. */
export type Cpu = Record<string, number>;

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

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
    const line = readStat(entry);
    if (line === null) continue;
    // The name in parentheses can contain spaces.
    const fields = line
      .slice(line.lastIndexOf(') ') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
      fields[1],
      ...fields.slice(11, 15),
    ];
    stats.set(Number(entry), {
      parent,
      ownMs: (user + system) * TICK_MS,
      endedMs: (endedUser + endedSystem) * TICK_MS,
    });
  }
  return stats;
}

function readStat(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
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

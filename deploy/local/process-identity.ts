import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Identifies a process even if its pid is reused. */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

const hasProc = existsSync('/proc/self/stat');

function startedFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses can contain anything, so split after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function startedFromPs(pid: number): string | null {
  const result = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const started = result.stdout?.trim().replaceAll(/\s+/g, '_');
  return started || null;
}

export function startedAt(pid: number): string | null {
  return hasProc ? startedFromProc(pid) : startedFromPs(pid);
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startedAt(pid) ?? 'unknown' };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return startedAt(identity.pid) === identity.started;
}

/** Signals the process group, or else the process. Ignores missing processes. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  for (const target of signal === 'SIGKILL' ? [-pid, pid] : [pid]) {
    try {
      process.kill(target, signal);
    } catch {
      // Gone, or not a group leader.
    }
  }
}

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

const hasProc = existsSync('/proc/self/stat');

function startedFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything, so fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function startedFromPs(pid: number): string | null {
  const answer = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const started = answer.stdout?.trim().replaceAll(/\s+/g, '_');
  return started || null;
}

/** When a process was started, in the system's own words; null when it is gone. */
export function startedAt(pid: number): string | null {
  return hasProc ? startedFromProc(pid) : startedFromPs(pid);
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startedAt(pid) ?? 'unknown' };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return startedAt(identity.pid) === identity.started;
}

/** Signals the whole process group where there is one, else the process; a missing one is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  for (const target of signal === 'SIGKILL' ? [-pid, pid] : [pid]) {
    try {
      process.kill(target, signal);
    } catch {
      // Already gone, or not the leader of a group.
    }
  }
}

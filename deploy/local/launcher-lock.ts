import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';

export interface LockHolder extends ProcessIdentity {
  url: string;
}

export type LockResult = { held: true; release: () => void } | { held: false; holder: LockHolder };

function readHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return null;
  }
}

function createLock(path: string, own: LockHolder): boolean {
  const draft = `${path}.${own.pid}`;
  writeFileSync(draft, JSON.stringify(own));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a dead process's lock away. If two race, one of them finds nothing. */
function removeStale(path: string, stale: LockHolder | null, ownPid: number): void {
  const aside = `${path}.stale.${ownPid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  // Another process took the lock between reading and moving; restore it.
  if (moved && moved.pid !== stale?.pid && isAlive(moved)) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process has the lock by now.
    }
  }
  rmSync(aside, { force: true });
}

/** Acquires the lock of a data directory. Locks of dead processes are ignored. */
export function acquireLock(runDir: string, url: string): LockResult {
  const path = join(runDir, 'launcher.lock');
  const own: LockHolder = { ...identityOf(process.pid), url };
  while (!createLock(path, own)) {
    const holder = readHolder(path);
    if (holder && isAlive(holder)) return { held: false, holder };
    removeStale(path, holder, own.pid);
  }
  return {
    held: true,
    release: () => {
      if (readHolder(path)?.pid === own.pid) rmSync(path, { force: true });
    },
  };
}

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledDir, repoRoot } from './layout.ts';
import { entryPoints, nodeFlags } from './processes.ts';
import { hashFolder } from './source-hash.ts';

const marker = join(compiledDir, '.made-from');
const patienceMs = 30_000;

function hashSources(): string {
  const hash = createHash('sha256').update(process.version + nodeFlags);
  for (const folder of ['services', 'libs']) hashFolder(hash, join(repoRoot, folder));
  return hash.digest('hex');
}

/**
 * Loads a process without settings: it loads all sources and exits. Node then has their compiled code on disk, which
 * keeps the type stripper (20 MB per process) out of the real ones.
 */
function loadOnce(entry: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...nodeFlags, join(repoRoot, entry)], {
      cwd: repoRoot,
      env: { NODE_COMPILE_CACHE: compiledDir, PORT: 'none' },
      stdio: 'ignore',
      timeout: patienceMs,
    });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}

/** Precompiles services whose sources have changed. Affects only speed and memory. */
export async function warmCompileCache(): Promise<void> {
  const hash = hashSources();
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return;
  const waiting = [...entryPoints];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await loadOnce(next);
  };
  await Promise.all([work(), work()]);
  try {
    mkdirSync(compiledDir, { recursive: true });
    writeFileSync(marker, hash);
  } catch {
    // The checkout is read-only for this user.
  }
}

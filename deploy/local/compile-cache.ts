import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledDir, repoRoot } from './layout.ts';
import { entryPoints, nodeFlags } from './processes.ts';
import { runProgram } from './run-program.ts';
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
async function loadOnce(entry: string): Promise<void> {
  await runProgram(process.execPath, [...nodeFlags, join(repoRoot, entry)], {
    cwd: repoRoot,
    env: { NODE_COMPILE_CACHE: compiledDir, PORT: 'none' },
    timeout: patienceMs,
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

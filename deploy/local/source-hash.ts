import type { Hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './layout.ts';

const notSources = new Set(['node_modules', 'dist', 'e2e']);

/** Hashes path and content of every source file in a folder, except tests. */
export function hashFolder(hash: Hash, path: string): void {
  if (!existsSync(path)) return;
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (notSources.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
    if (entry.isDirectory()) hashFolder(hash, inner);
    else hash.update(inner.slice(repoRoot.length)).update(readFileSync(inner));
  }
}

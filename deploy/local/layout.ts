import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkFreeSpace } from './free-space.ts';

export const repoRoot = resolve(import.meta.dirname, '../..');
/** What is derived from the sources and thrown away with the dependencies. */
export const derivedDir = join(repoRoot, 'node_modules/.daylift');
/** Stripped and compiled sources, which every process of ours reads and writes. */
export const compiledDir = join(derivedDir, 'compiled');

/** Where a stack keeps its things inside its data directory. */
export interface DataLayout {
  root: string;
  secrets: string;
  logs: string;
  run: string;
  postgres: string;
  postgresPointer: string;
  redis: string;
  nats: string;
  sandbox: string;
}

export function dataLayout(dataDir: string): DataLayout {
  const root = resolve(dataDir);
  return {
    root,
    secrets: join(root, 'secrets.json'),
    logs: join(root, 'logs'),
    run: join(root, 'run'),
    postgres: join(root, 'postgres'),
    postgresPointer: join(root, 'postgres-location'),
    redis: join(root, 'redis'),
    nats: join(root, 'nats'),
    sandbox: join(root, 'sandbox'),
  };
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Creates the folders. Under root the top one may be walked through, because Postgres runs as
 * another user; everything with something to hide in it is closed.
 */
export function createDataDirectories(layout: DataLayout): void {
  mkdirSync(layout.root, { recursive: true });
  // New, or as good as new: a folder with anything in it keeps its mode.
  if (readdirSync(layout.root).length === 0) chmodSync(layout.root, isRoot() ? 0o755 : 0o700);
  for (const folder of [layout.logs, layout.run, layout.redis, layout.nats, layout.sandbox]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  checkFreeSpace(layout.root);
}

/** Deletes what the stack itself put there and nothing else: a data directory may be anybody's folder. */
export function deleteData(layout: DataLayout): void {
  const { root: _root, run: _run, ...own } = layout;
  for (const path of Object.values(own)) rmSync(path, { recursive: true, force: true });
}

import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkFreeSpace } from './free-space.ts';

export const repoRoot = resolve(import.meta.dirname, '../..');
export const derivedDir = join(repoRoot, 'node_modules/.daylift');
/** Compiled sources, shared by all processes. */
export const compiledDir = join(derivedDir, 'compiled');

/** Layout of a data directory. */
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
 * Creates the folders. As root, the top folder can be traversed because Postgres runs as another user; folders with
 * secrets are private.
 */
export function createDataDirectories(layout: DataLayout): void {
  mkdirSync(layout.root, { recursive: true });
  // New or empty: folders with content keep their mode.
  if (readdirSync(layout.root).length === 0) chmodSync(layout.root, isRoot() ? 0o755 : 0o700);
  for (const folder of [layout.logs, layout.run, layout.redis, layout.nats, layout.sandbox]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  checkFreeSpace(layout.root);
}

/** Deletes only what the stack created, because a data directory can contain other files. */
export function deleteData(layout: DataLayout): void {
  const { root: _root, run: _run, ...own } = layout;
  for (const path of Object.values(own)) rmSync(path, { recursive: true, force: true });
}

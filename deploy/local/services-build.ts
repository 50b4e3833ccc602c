import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { runVite } from './builds.ts';
import { derivedDir, repoRoot } from './layout.ts';
import { hashFolder } from './source-hash.ts';

const config = join(import.meta.dirname, 'services.vite.config.ts');
const buildsDir = join(derivedDir, 'services');
/** A running stack restarts its processes from the build that it started with. */
const keptBuilds = 4;

function hashSources(): string {
  const hash = createHash('sha256');
  for (const folder of ['services', 'libs']) hashFolder(hash, join(repoRoot, folder));
  for (const file of [join(repoRoot, 'package-lock.json'), config]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function removeOldBuilds(): void {
  const age = (name: string): number => -statSync(join(buildsDir, name)).mtimeMs;
  const builds = readdirSync(buildsDir).sort((a, b) => age(a) - age(b));
  for (const name of builds.slice(keptBuilds))
    rmSync(join(buildsDir, name), { recursive: true, force: true });
}

async function build(target: string): Promise<void> {
  const draft = `${target}-${process.pid}`;
  mkdirSync(buildsDir, { recursive: true });
  try {
    await runVite('the services', '.', draft, ['--config', config, '--configLoader', 'native']);
    renameSync(draft, target);
  } catch (error) {
    // `npm test` and `npm start` build the same; the second one finds it done.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeOldBuilds();
}

/**
 * Bundles the services if their sources have changed, and returns the folder. Loading a few files instead of 2,000
 * saves each process a second of CPU time at its start, and the type stripper's memory.
 */
export async function ensureServicesBuilt(): Promise<string> {
  const target = join(buildsDir, hashSources());
  if (!existsSync(target)) await build(target);
  return target;
}

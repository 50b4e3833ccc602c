import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFolder } from './compress.ts';
import type { Print } from './console.ts';
import { LauncherError } from './failure.ts';
import { derivedDir, repoRoot } from './layout.ts';
import { runProgram } from './run-program.ts';
import { hashFolder } from './source-hash.ts';

/** Single-page apps that the gateway serves. */
export const apps = ['web', 'admin-web'] as const;
type App = (typeof apps)[number];

/** Prerendering code for the gateway, in a folder of the build that isn't served. */
const serverEntries: Partial<Record<App, string>> = { web: 'src/entry-server.tsx' };

export const distOf = (app: App): string => join(repoRoot, app, 'dist');
const marker = '.built-from';
const shared = ['libs/ui', 'libs/api-client', 'libs/contracts', 'libs/config'];
const sharedFiles = ['package-lock.json', 'deploy/local/compress.ts'];

function hashSources(app: App): string {
  const hash = createHash('sha256');
  for (const folder of [app, ...shared]) hashFolder(hash, join(repoRoot, folder));
  for (const file of sharedFiles) hash.update(readFileSync(join(repoRoot, file)));
  return hash.digest('hex');
}

function isFresh(app: App, hash: string): boolean {
  const path = join(distOf(app), marker);
  return existsSync(path) && readFileSync(path, 'utf8') === hash;
}

export async function runVite(
  name: string,
  folder: string,
  outDir: string,
  options: string[] = [],
): Promise<void> {
  const vite = join(repoRoot, 'node_modules/vite/bin/vite.js');
  const args = ['build', ...options, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const { code, output } = await runProgram(process.execPath, [vite, ...args], {
    cwd: join(repoRoot, folder),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code !== 0) throw new LauncherError(`Building ${name} failed.\n${output}`);
}

/** Builds into a draft folder and moves it, so the gateway never serves a partial app. */
async function build(app: App, hash: string, begin: Print): Promise<void> {
  const draft = join(derivedDir, `${app}-${process.pid}`);
  const old = `${draft}-old`;
  mkdirSync(dirname(draft), { recursive: true });
  try {
    begin(`Building ${app}`);
    await runVite(app, app, draft);
    begin(`Compressing ${app}`);
    compressFolder(draft);
    const drawer = serverEntries[app];
    if (drawer) {
      begin(`Building ${app} for prerendering`);
      await runVite(app, app, join(draft, '.server'), ['--ssr', drawer]);
    }
    writeFileSync(join(draft, marker), hash);
    if (existsSync(distOf(app))) renameSync(distOf(app), old);
    renameSync(draft, distOf(app));
  } catch (error) {
    // `npm test` and `npm start` build the same; the second one finds it done.
    if (!isFresh(app, hash)) throw error;
  } finally {
    for (const left of [draft, old]) rmSync(left, { recursive: true, force: true });
  }
}

/** Builds apps whose sources have changed since their last build. */
export async function ensureAppsBuilt(print: Print): Promise<void> {
  const stale = apps
    .map((app) => ({ app, hash: hashSources(app) }))
    .filter(({ app, hash }) => !isFresh(app, hash));
  const steps = stale.reduce((sum, { app }) => sum + (serverEntries[app] ? 3 : 2), 0);
  let started = 0;
  const begin: Print = (step) => {
    started += 1;
    print(`${step} (${started} of ${steps}) ...`);
  };
  for (const { app, hash } of stale) await build(app, hash, begin);
}

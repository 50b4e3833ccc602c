import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFolder } from './compress.ts';
import type { Print } from './console.ts';
import { LauncherError } from './failure.ts';
import { derivedDir, repoRoot } from './layout.ts';
import { hashFolder } from './source-hash.ts';

/** The single-page apps that the gateway serves. */
export const apps = ['web', 'admin-web'] as const;
type App = (typeof apps)[number];

/** What the gateway draws pages with; stands in a folder of the build that is never served. */
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

function runVite(app: App, outDir: string, options: string[] = []): Promise<void> {
  const vite = join(repoRoot, 'node_modules/vite/bin/vite.js');
  const args = [
    vite,
    'build',
    ...options,
    '--outDir',
    outDir,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ];
  return new Promise((resolve, reject) => {
    let words = '';
    const child = spawn(process.execPath, args, {
      cwd: join(repoRoot, app),
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        words = (words + text).slice(-6000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new LauncherError(`Building ${app} failed.\n${words.trim()}`)),
    );
  });
}

/** Built beside and moved into place, so that a gateway never serves half an app and Ctrl-C leaves none. */
async function build(app: App, hash: string): Promise<void> {
  const draft = join(derivedDir, `${app}-${process.pid}`);
  const old = `${draft}-old`;
  mkdirSync(dirname(draft), { recursive: true });
  try {
    await runVite(app, draft);
    compressFolder(draft);
    const drawer = serverEntries[app];
    if (drawer) await runVite(app, join(draft, '.server'), ['--ssr', drawer]);
    writeFileSync(join(draft, marker), hash);
    if (existsSync(distOf(app))) renameSync(distOf(app), old);
    renameSync(draft, distOf(app));
  } catch (error) {
    // `npm test` beside `npm start` builds the same thing: whichever comes second finds it done.
    if (!isFresh(app, hash)) throw error;
  } finally {
    for (const left of [draft, old]) rmSync(left, { recursive: true, force: true });
  }
}

/** Builds the apps whose sources have changed since they were built last. */
export async function ensureAppsBuilt(print: Print): Promise<void> {
  const stale = apps
    .map((app) => ({ app, hash: hashSources(app) }))
    .filter(({ app, hash }) => !isFresh(app, hash));
  if (stale.length === 0) return;
  print(`Building ${stale.map(({ app }) => app).join(' and ')} ...`);
  for (const { app, hash } of stale) await build(app, hash);
}

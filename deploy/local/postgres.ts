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
import { createPrivateFolder, type PostgresHome } from './postgres-account.ts';
import { runProgram } from './run-program.ts';
import type { ProcessSpec } from './supervised-process.ts';

const baseEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Small, because it shares the machine with all services. */
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
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

async function runInitdb(home: PostgresHome, folder: string, passwordFile: string): Promise<void> {
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
  const { code, output } = await runProgram(join(home.programs, 'bin/initdb'), args, {
    cwd: folder,
    env: baseEnv,
    // Protected from Ctrl-C: it takes a second or two and is then cleaned up.
    detached: true,
    ...home.account,
  });
  if (code === 0) return;
  const reason = /No space left on device/i.test(output) ? 'the disk is full' : output;
  throw new LauncherError(`Postgres could not set up its data in ${home.data}: ${reason}`);
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
  const all = {
    ...settings,
    ...(options.fast ? fastSettings : {}),
    unix_socket_directories: options.fast && hasRoomForSocket(home.data) ? home.data : '',
    port: String(port),
  };
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
    // Another program may have the pid by now, and Postgres would mistake it for itself. One that really uses the data
    // is found by its shared memory.
    prepare: () => {
      for (const lock of ['postmaster.pid', `.s.PGSQL.${port}.lock`])
        rmSync(join(home.data, lock), { force: true });
    },
  };
}

export const postgresUrl = (port: number, password: string, database = 'postgres'): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

const maxSocketPath = 107;
const hasRoomForSocket = (data: string): boolean =>
  Buffer.byteLength(join(data, '.s.PGSQL.65535')) <= maxSocketPath;

/** Returns the URL over the socket in the data folder, which takes less CPU time than TCP. Only `fast` servers have it. */
export function socketUrl(tcpUrl: string, data: string): string {
  const url = new URL(tcpUrl);
  if (hasRoomForSocket(data)) url.searchParams.set('host', data);
  return url.href;
}

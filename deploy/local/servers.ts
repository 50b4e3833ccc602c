import { rmSync } from 'node:fs';
import type { Print } from './console.ts';
import type { ExternalServers } from './external-servers.ts';
import { LauncherError } from './failure.ts';
import type { DataLayout } from './layout.ts';
import { isNatsUp, jetstreamFolder, prepareNats } from './nats.ts';
import { chooseFreePorts, isListening } from './ports.ts';
import { postgresUrl, preparePostgres } from './postgres.ts';
import { findPostgresHome } from './postgres-account.ts';
import { callRedis, isRedisUp, prepareRedis } from './redis.ts';
import type { Supervisor } from './supervisor.ts';
import { natsServer, redisServer, requirePrograms } from './system-packages.ts';

export interface Servers {
  databaseAdminUrl: string;
  redisUrl: string;
  natsUrl: string;
  hasNatsLogins: boolean;
  databaseLocation: string;
  flushRedis: () => Promise<void>;
  /** Stops NATS, deletes its data, and starts it again. */
  wipeNats: () => Promise<void>;
}

interface ServerOptions {
  layout: DataLayout;
  supervisor: Supervisor;
  external: ExternalServers;
  postgresPassword: string;
  redisPassword: string;
  natsAccounts?: string;
  fast: boolean;
  print: Print;
}

const startTimeoutMs = 60_000;

async function startPostgres(options: ServerOptions, port: number) {
  if (options.external.databaseAdminUrl) {
    return { url: options.external.databaseAdminUrl, location: 'the server of DATABASE_ADMIN_URL' };
  }
  const home = findPostgresHome(options.layout);
  const password = options.postgresPassword;
  await options.supervisor.start(
    await preparePostgres({ home, port, password, fast: options.fast }),
  );
  await options.supervisor.waitFor('Postgres', () => isListening(port), startTimeoutMs);
  return { url: postgresUrl(port, password), location: home.data };
}

async function startRedis(options: ServerOptions, program: string, port: number): Promise<string> {
  if (options.external.redisUrl) return options.external.redisUrl;
  const { fast, redisPassword: password } = options;
  const folder = options.layout.redis;
  await options.supervisor.start(prepareRedis({ program, folder, port, password, fast }));
  await options.supervisor.waitFor('Redis', () => isRedisUp({ port, password }), startTimeoutMs);
  return `redis://:${password}@127.0.0.1:${port}`;
}

async function startNats(
  options: ServerOptions,
  program: string,
  [port, monitorPort]: [number, number],
): Promise<string> {
  if (options.external.natsUrl) return options.external.natsUrl;
  const folder = options.layout.nats;
  await options.supervisor.start(
    prepareNats({ program, folder, port, monitorPort, accounts: options.natsAccounts }),
  );
  await options.supervisor.waitFor('NATS', () => isNatsUp(monitorPort), startTimeoutMs);
  return `nats://127.0.0.1:${port}`;
}

async function findServerPrograms({ external, print }: ServerOptions): Promise<[string, string]> {
  const wanted = [
    ...(external.redisUrl ? [] : [redisServer]),
    ...(external.natsUrl ? [] : [natsServer]),
  ];
  const hint = 'Or point at servers of your own with REDIS_URL and NATS_URL.';
  const found = await requirePrograms(wanted, print, hint);
  return [
    external.redisUrl ? '' : (found.shift() ?? ''),
    external.natsUrl ? '' : (found.shift() ?? ''),
  ];
}

/** Starts Postgres, Redis and NATS, unless external ones are given, and waits until they are ready. */
export async function startServers(options: ServerOptions): Promise<Servers> {
  const [redisProgram, natsProgram] = await findServerPrograms(options);
  const [postgres = 0, redis = 0, nats = 0, monitor = 0] = await chooseFreePorts(4);
  const [database, redisUrl, natsUrl] = await Promise.all([
    startPostgres(options, postgres),
    startRedis(options, redisProgram, redis),
    startNats(options, natsProgram, [nats, monitor]),
  ]);
  const { external, layout, supervisor } = options;
  return {
    databaseAdminUrl: database.url,
    redisUrl,
    natsUrl,
    hasNatsLogins: !external.natsUrl && options.natsAccounts !== undefined,
    databaseLocation: database.location,
    flushRedis: async () => {
      if (external.redisUrl)
        throw new LauncherError('A Redis of your own is not flushed by the launcher.');
      await callRedis({ port: redis, password: options.redisPassword }, 'FLUSHALL');
    },
    wipeNats: () =>
      supervisor.whileDown('nats', () =>
        rmSync(jetstreamFolder(layout.nats), { recursive: true, force: true }),
      ),
  };
}

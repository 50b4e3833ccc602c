import { ensureAppsBuilt } from './builds.ts';
import type { Print } from './console.ts';
import { prepareDatabases } from './databases.ts';
import { checkExternalServers, type ExternalServers } from './external-servers.ts';
import { LauncherError } from './failure.ts';
import { acquireLock, type LockHolder } from './launcher-lock.ts';
import { createDataDirectories, type DataLayout, dataLayout, deleteData } from './layout.ts';
import { natsAccounts } from './nats-logins.ts';
import { checkFixedPort, chooseFreePorts } from './ports.ts';
import { deletePointedData } from './postgres-account.ts';
import { endStaleProcesses } from './process-list.ts';
import { describeProcesses, processNames, publicUrl, type StackPorts } from './processes.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { type Servers, startServers } from './servers.ts';
import { ensureServicesBuilt } from './services-build.ts';
import { createSupervisor, type RunningProcess, type Supervisor } from './supervisor.ts';

export interface StackOptions {
  /** Data, secrets and logs; one running stack per directory. */
  dataDir: string;
  gatewayPort: number;
  sandboxPort: number;
  /** Fixed ports of services; the others are chosen. */
  servicePorts?: Partial<StackPorts['http']>;
  /** Environment variables for the services (CLOCK_START, RATE_LIMITS, ...). */
  env?: Record<string, string>;
  /** For tests: data needn't survive a crash of the machine. */
  fast?: boolean;
  /** All migrations have run on the data. */
  prepared?: boolean;
  fresh?: boolean;
  /** First owner, used on the first start only. */
  admin?: { username?: string; password?: string };
  external?: ExternalServers;
  /** Receives lines for the terminal. */
  log?: Print;
  signal?: AbortSignal;
}

export interface Stack {
  urls: { gateway: string; sandbox: string };
  adminCredentials: { username: string; password: string };
  databaseAdminUrl: string;
  databaseLocation: string;
  layout: DataLayout;
  processes: () => RunningProcess[];
  restartCount: () => number;
  kill: (name: string, signal: NodeJS.Signals) => void;
  flushRedis: () => Promise<void>;
  /** Stops NATS immediately, deletes its data, and starts it again. */
  wipeNats: () => Promise<void>;
  /** Kills a process, runs the work, and starts it again. */
  whileDown: Supervisor['whileDown'];
  stop: () => Promise<void>;
}

/** Another launcher uses the data directory. */
export class AlreadyRunningError extends LauncherError {
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    super(`Daylift is already running at ${holder.url} (process ${holder.pid}).`);
    this.holder = holder;
  }
}

const readyTimeoutMs = 120_000;
/** From the outside in: stop new requests, let services finish, then stop what they depend on. */
const stopOrder = [
  ['gateway'],
  ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway', 'sms-worker'],
  ['sandbox'],
  ['nats', 'redis', 'postgres'],
];

async function choosePorts(options: StackOptions): Promise<StackPorts> {
  await checkFixedPort(options.gatewayPort, 'product', 'PORT');
  await checkFixedPort(options.sandboxPort, 'sandbox', 'SANDBOX_PORT');
  const chosen = await chooseFreePorts(processNames.length * 2 + 1);
  const portEach = () =>
    Object.fromEntries(processNames.map((name) => [name, chosen.pop() ?? 0])) as StackPorts['http'];
  const fixed = { sandbox: options.sandboxPort, gateway: options.gatewayPort };
  return {
    smtp: chosen.pop() ?? 0,
    http: { ...portEach(), ...fixed, ...options.servicePorts },
    ops: portEach(),
  };
}

async function waitForUrl(
  url: string,
  supervisor: Supervisor,
  signal?: AbortSignal,
): Promise<void> {
  const isUp = async () => {
    signal?.throwIfAborted();
    return fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await supervisor.waitFor(`Daylift (${url})`, isUp, readyTimeoutMs);
}

async function stopAll(supervisor: Supervisor): Promise<void> {
  for (const names of stopOrder) await supervisor.stop(names);
  supervisor.close();
}

interface Ground {
  servers: Servers;
  secrets: Secrets;
  ports: StackPorts;
  servicesDir: string;
}

/** Prepares what the services depend on: servers with their schemas, both apps, bundled sources. */
async function prepareGround(
  options: StackOptions,
  layout: DataLayout,
  supervisor: Supervisor,
): Promise<Ground> {
  const print = options.log ?? (() => undefined);
  // First, because building the apps can take a while.
  await checkExternalServers(options.external ?? {});
  const ports = await choosePorts(options);
  const secrets = loadSecrets(layout.secrets, options.admin ?? {});
  const startDatabases = async (): Promise<Servers> => {
    const servers = await startServers({
      layout,
      supervisor,
      external: options.external ?? {},
      postgresPassword: secrets.postgres_password,
      redisPassword: secrets.redis_password,
      natsAccounts: natsAccounts(secrets.nats_passwords),
      fast: options.fast ?? false,
      print,
    });
    options.signal?.throwIfAborted();
    if (!options.prepared) await prepareDatabases(servers.databaseAdminUrl, secrets);
    return servers;
  };
  // Wait for all even if one fails, so nothing is running during cleanup.
  const [started, bundled, built] = await Promise.allSettled([
    startDatabases(),
    ensureServicesBuilt(),
    ensureAppsBuilt(print),
  ]);
  options.signal?.throwIfAborted();
  if (started.status === 'rejected') throw started.reason;
  if (bundled.status === 'rejected') throw bundled.reason;
  if (built.status === 'rejected') throw built.reason;
  return { servers: started.value, secrets, ports, servicesDir: bundled.value };
}

async function startProcesses(
  options: StackOptions,
  layout: DataLayout,
  supervisor: Supervisor,
  { secrets, ports, ...ground }: Ground,
): Promise<Omit<Stack, 'stop'>> {
  const { servers } = ground;
  const admin = { username: secrets.admin_username, password: secrets.admin_password };
  const overrides = options.env ?? {};
  for (const spec of describeProcesses({
    ...{ ports, secrets, layout, admin, overrides },
    ...ground,
    fast: options.fast ?? false,
  })) {
    await supervisor.start(spec);
    // The others get their time from the sandbox.
    if (spec.name === 'sandbox') {
      await waitForUrl(`http://127.0.0.1:${spec.opsPort}/healthz`, supervisor, options.signal);
    }
  }
  await waitForUrl(`http://127.0.0.1:${ports.http.gateway}/readyz`, supervisor, options.signal);
  return {
    urls: { gateway: publicUrl(ports), sandbox: `http://localhost:${ports.http.sandbox}` },
    adminCredentials: admin,
    databaseAdminUrl: servers.databaseAdminUrl,
    databaseLocation: servers.databaseLocation,
    layout,
    processes: supervisor.processes,
    restartCount: supervisor.restartCount,
    kill: supervisor.kill,
    flushRedis: servers.flushRedis,
    wipeNats: servers.wipeNats,
    whileDown: supervisor.whileDown,
  };
}

/** Ends what a killed launcher left running, and deletes the data if requested. */
async function clearGround(options: StackOptions, layout: DataLayout): Promise<void> {
  await endStaleProcesses(layout.run);
  if (!options.fresh) return;
  deletePointedData(layout);
  deleteData(layout);
  createDataDirectories(layout);
}

/** Starts the whole product and waits until the gateway is ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const layout = dataLayout(options.dataDir);
  const print = options.log ?? (() => undefined);
  createDataDirectories(layout);
  const lock = acquireLock(layout.run, `http://localhost:${options.gatewayPort}`);
  if (!lock.held) throw new AlreadyRunningError(lock.holder);
  const undo: (() => Promise<void> | void)[] = [lock.release];
  const takeDown = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await clearGround(options, layout);
    // During startup, errors about parts that aren't ready are only logged.
    let ready = false;
    const supervisor = createSupervisor({
      logsDir: layout.logs,
      runDir: layout.run,
      print: (line) => ready && print(line),
    });
    undo.push(() => stopAll(supervisor));
    const ground = await prepareGround(options, layout, supervisor);
    print('Starting the services ...');
    const parts = await startProcesses(options, layout, supervisor, ground);
    ready = true;
    return { ...parts, stop: takeDown };
  } catch (error) {
    await takeDown();
    throw error;
  }
}

// `npm start`: runs the whole product on this machine until Ctrl-C.
import { resolve } from 'node:path';
import { explainFailure, LauncherError } from './failure.ts';
import { repoRoot } from './layout.ts';
import { tunables } from './processes.ts';
import { AlreadyRunningError, type Stack, type StackOptions, startStack } from './stack.ts';

const env = process.env;
const dataDir = resolve(repoRoot, env.DATA_DIR || '.data');
/** A first start on a busy machine takes minutes. */
const progressMs = 15_000;
const print = (line: string): void => console.log(line);

function portOf(variable: string, fallback: number): number {
  const given = env[variable];
  if (!given) return fallback;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new LauncherError(`${variable} must be a port between 1 and 65535; it is "${given}".`);
}

function readOptions(signal: AbortSignal): StackOptions {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--fresh');
  if (unknown)
    throw new LauncherError(`Unknown option "${unknown}". Available: npm start -- --fresh`);
  const gatewayPort = portOf('PORT', 8080);
  const sandboxPort = portOf('SANDBOX_PORT', 8090);
  if (gatewayPort === sandboxPort) throw new LauncherError('PORT and SANDBOX_PORT must differ.');
  const given = (name: string): string | undefined => env[name] || undefined;
  return {
    dataDir,
    gatewayPort,
    sandboxPort,
    fresh: args.includes('--fresh'),
    env: Object.fromEntries(
      tunables.flatMap((name) => (given(name) ? [[name, env[name] ?? '']] : [])),
    ),
    admin: { username: given('ADMIN_USERNAME'), password: given('ADMIN_PASSWORD') },
    external: {
      databaseAdminUrl: given('DATABASE_ADMIN_URL'),
      redisUrl: given('REDIS_URL'),
      natsUrl: given('NATS_URL'),
    },
    log: print,
    signal,
  };
}

/** Returns a notice if the environment names a different owner than the data. */
function noteOnAdmin(stack: Stack): string[] {
  const { username, password } = stack.adminCredentials;
  const same =
    (env.ADMIN_USERNAME || username) === username && (env.ADMIN_PASSWORD || password) === password;
  return same
    ? []
    : ['            (ADMIN_USERNAME and ADMIN_PASSWORD are used on the first start only)'];
}

function describe(stack: Stack, seconds: string): string {
  const { username, password } = stack.adminCredentials;
  return [
    '',
    `  Daylift is ready (${seconds} s)`,
    '',
    `  Product   ${stack.urls.gateway}`,
    `  Admin     ${stack.urls.gateway}/admin/login    ${username} / ${password}`,
    ...noteOnAdmin(stack),
    `  API       ${stack.urls.gateway}/api/docs    every endpoint with its schemas and errors`,
    `  Sandbox   ${stack.urls.sandbox}    phones, mail, clock`,
    '',
    `  Data      ${stack.layout.root}`,
    ...(stack.databaseLocation.startsWith(stack.layout.root)
      ? []
      : [`  Database  ${stack.databaseLocation}`]),
    `  Logs      ${stack.layout.logs}`,
    '',
    '  Ctrl-C stops everything and keeps the data; npm start -- --fresh deletes it first.',
    '',
  ].join('\n');
}

/** Resolves on the first stop request: a signal, or the exit of the parent process. */
function watchForStop(stopping: AbortController): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  const begin = (): void => {
    if (stopping.signal.aborted) return;
    print('\nStopping ...');
    stopping.abort();
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, begin);
  const parent = Number(env.DAYLIFT_PARENT_PID);
  if (parent) setInterval(() => process.ppid !== parent && begin(), 500).unref();
  // Writing to a closed terminal must not end the launcher before its children.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return promise;
}

async function main(): Promise<number> {
  const stopping = new AbortController();
  const stopped = watchForStop(stopping);
  const startedAt = performance.now();
  const seconds = (digits: number) => ((performance.now() - startedAt) / 1000).toFixed(digits);
  print('Starting Daylift ...');
  const progress = setInterval(() => print(`  still starting, ${seconds(0)} s so far`), progressMs);
  stopping.signal.addEventListener('abort', () => clearInterval(progress));
  try {
    const stack = await startStack(readOptions(stopping.signal)).finally(() =>
      clearInterval(progress),
    );
    print(describe(stack, seconds(1)));
    // Keeps the process alive; idle pipes of the children don't.
    const alive = setInterval(() => undefined, 60_000);
    await stopped;
    await stack.stop();
    clearInterval(alive);
    print('Stopped. The data is kept.');
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) {
      print('Stopped. The next start continues from here.');
      return 130;
    }
    if (error instanceof AlreadyRunningError) {
      if (process.argv.includes('--fresh')) {
        throw new LauncherError(
          `${error.message} Stop it first (Ctrl-C there): --fresh deletes its data.`,
        );
      }
      print(`${error.message} Stop it with Ctrl-C where it runs.`);
      print('Or run a second one: DATA_DIR=.data2 PORT=9080 SANDBOX_PORT=9090 npm start');
      return 0;
    }
    throw error;
  }
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`\n${explainFailure(error, dataDir)}`);
  process.exit(1);
}

import { randomInt } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LauncherError } from './failure.ts';

function listenError(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Returns why the port can't be used, or null. */
async function findPortProblem(port: number): Promise<string | null> {
  const error = await listenError(port, '127.0.0.1');
  if (error) return error;
  // Browsers may resolve `localhost` to ::1, so a listener there conflicts too. Missing IPv6 is fine.
  return (await listenError(port, '::1')) === 'EADDRINUSE' ? 'EADDRINUSE' : null;
}

/** Returns whether browsers and fetch refuse to connect to this port, a "bad port" of the fetch standard such as 6000. */
const isBlockedByFetch = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    ({ cause }: { cause?: Error }) => cause?.message === 'bad port',
  );

/** Throws a readable error if a fixed port is in use or blocked by browsers. */
export async function checkFixedPort(port: number, use: string, variable: string): Promise<void> {
  const problem =
    (await findPortProblem(port)) ?? ((await isBlockedByFetch(port)) ? 'BLOCKED' : null);
  if (!problem) return;
  const reason =
    problem === 'EADDRINUSE'
      ? `is taken by another program`
      : problem === 'EACCES'
        ? `can't be used by this user`
        : problem === 'BLOCKED'
          ? `is blocked by browsers`
          : `cannot be used (${problem})`;
  throw new LauncherError(
    `Port ${port} for the ${use} ${reason}. Choose another one: ${variable}=${port + 1000} npm start`,
  );
}

/** Below the range of outgoing connections, so a restarted server finds its port free. */
const firstPort = 20_000;
const blockSize = 120;
const blockCount = 100;

interface Block {
  lock: Server;
  first: number;
  next: number;
}

let block: Promise<Block> | null = null;

/**
 * Reserves a block of ports, because launchers may choose ports concurrently. Listening on its first port is the lock.
 */
async function holdBlock(): Promise<Block> {
  const start = randomInt(blockCount);
  for (let offset = 0; offset < blockCount; offset += 1) {
    const first = firstPort + ((start + offset) % blockCount) * blockSize;
    const lock = createServer().unref();
    const held = await new Promise<boolean>((resolve) => {
      lock.once('error', () => resolve(false));
      lock.listen({ port: first, host: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    if (held) return { lock, first, next: 1 };
  }
  throw new LauncherError('No free ports found.');
}

/** Returns free ports that no other launcher or test chooses while this process runs. */
export async function chooseFreePorts(count: number): Promise<number[]> {
  block ??= holdBlock();
  const own = await block;
  const chosen: number[] = [];
  for (let tries = 1; chosen.length < count && tries < blockSize; tries += 1) {
    const port = own.first + own.next;
    own.next = (own.next % (blockSize - 1)) + 1;
    if (!(await findPortProblem(port))) chosen.push(port);
  }
  if (chosen.length < count) throw new LauncherError('No free ports found.');
  return chosen;
}

export function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

/** Polls until the condition holds. Returns false on timeout. */
export async function waitUntil(
  question: () => Promise<boolean> | boolean,
  timeoutMs: number,
  intervalMs = 100,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (await question()) return true;
    await delay(intervalMs);
  }
  return false;
}

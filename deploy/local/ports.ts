import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LauncherError } from './failure.ts';

function listenError(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Why nobody can listen on this port, or null if one can. */
async function portObstacle(port: number): Promise<string | null> {
  const obstacle = await listenError(port, '127.0.0.1');
  if (obstacle) return obstacle;
  // `localhost` may mean ::1 to a browser, so somebody else there counts as well; no IPv6 is fine.
  return (await listenError(port, '::1')) === 'EADDRINUSE' ? 'EADDRINUSE' : null;
}

/** Fails in words when a port that people know by number cannot be had. */
export async function checkFixedPort(port: number, use: string, variable: string): Promise<void> {
  const obstacle = await portObstacle(port);
  if (!obstacle) return;
  const reason =
    obstacle === 'EADDRINUSE'
      ? `is taken by another program`
      : obstacle === 'EACCES'
        ? `may not be used by this user`
        : `cannot be used (${obstacle})`;
  throw new LauncherError(
    `Port ${port} for the ${use} ${reason}. Choose another one: ${variable}=${port + 1000} npm start`,
  );
}

/**
 * Free ports below the range from which systems pick the near end of outgoing connections:
 * a server that is restarted must find its port free again.
 */
export async function chooseFreePorts(count: number): Promise<number[]> {
  const chosen = new Set<number>();
  for (let tries = 0; chosen.size < count && tries < 2000; tries += 1) {
    const port = randomInt(20_000, 32_000);
    if (!chosen.has(port) && !(await portObstacle(port))) chosen.add(port);
  }
  if (chosen.size < count) throw new LauncherError('No free ports were found on this machine.');
  return [...chosen];
}

export function portAnswers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

/** Polls until the question is answered with yes; false when the time is over. */
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

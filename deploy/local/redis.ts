import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { LauncherError } from './failure.ts';
import type { ProcessSpec } from './supervised-process.ts';

export function prepareRedis(options: {
  program: string;
  folder: string;
  port: number;
  password: string;
  fast: boolean;
}): ProcessSpec {
  const configPath = join(options.folder, 'redis.conf');
  const config = [
    'bind 127.0.0.1',
    `port ${options.port}`,
    `requirepass ${options.password}`,
    `dir "${options.folder}"`,
    'daemonize no',
    'appendonly yes',
    `appendfsync ${options.fast ? 'no' : 'everysec'}`,
    'save ""',
    // Evicting jobs would silently lose work.
    'maxmemory-policy noeviction',
  ];
  // An earlier version of the file may be readable by others.
  rmSync(configPath, { force: true });
  writeFileSync(configPath, `${config.join('\n')}\n`, { mode: 0o600 });
  return {
    name: 'redis',
    command: options.program,
    args: [configPath],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    cwd: options.folder,
    port: options.port,
  };
}

/** Where Redis listens, and its password. */
export interface RedisLogin {
  port: number;
  password: string;
}

/** Sends one Redis command over a socket, without a client library. */
export function callRedis(
  { port, password }: RedisLogin,
  command: 'PING' | 'FLUSHALL',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('utf8').setTimeout(10_000);
    socket.once('connect', () => socket.write(`AUTH ${password}\r\n${command}\r\n`));
    let replies = '';
    socket.on('data', (part) => {
      replies += String(part);
      const [, reply, rest] = replies.split('\r\n');
      if (reply === undefined || rest === undefined) return;
      socket.destroy();
      resolve(reply);
    });
    socket.once('timeout', () =>
      socket.destroy(new LauncherError('Redis did not respond in time.')),
    );
    socket.once('error', reject);
    socket.once('close', () => reject(new LauncherError('Redis closed the connection.')));
  });
}

export const isRedisUp = (login: RedisLogin): Promise<boolean> =>
  callRedis(login, 'PING').then(
    (reply) => reply === '+PONG',
    () => false,
  );

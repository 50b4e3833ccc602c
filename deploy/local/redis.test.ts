import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { requiredUrl } from '@daylift/testing/servers';
import { expect, test } from 'vitest';
import { callRedis } from './redis.ts';

const url = new URL(requiredUrl('TEST_REDIS_URL'));
const [port, password] = [Number(url.port), url.password];

const withoutLogin = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(`${command}\r\n`));
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(String(reply));
    });
    socket.once('error', reject);
  });

test('Redis runs no command without its password', async () => {
  for (const command of ['PING', 'KEYS *', 'FLUSHALL', 'CONFIG GET requirepass'])
    expect(await withoutLogin(command)).toMatch(/^-NOAUTH/);
  expect(await callRedis({ port, password: 'a-guess' }, 'PING')).toMatch(/^-NOAUTH/);
  expect(await callRedis({ port, password }, 'PING')).toBe('+PONG');
});

test('the password of Redis is in no process arguments', () => {
  const argumentsOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  expect(password).toMatch(/^[0-9a-f]{48}$/);
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  expect(all.filter((pid) => argumentsOf(pid).includes(password))).toEqual([]);
});

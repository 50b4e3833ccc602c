import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseFreePorts } from './ports.ts';
import { identityOf } from './process-identity.ts';
import { temporaryFolder } from './test/temporary-folder.ts';

// A launcher that is still loading on a busy machine has printed nothing yet.
vi.setConfig({ testTimeout: 90_000 });

function start(env: Record<string, string>, ...args: string[]) {
  const script = join(import.meta.dirname, 'start.ts');
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    timeout: 60_000,
  });
}

function aRunningStack(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'run'));
  const holder = { ...identityOf(process.pid), url: 'http://localhost:8765' };
  writeFileSync(join(folder, 'run/launcher.lock'), JSON.stringify(holder));
  return folder;
}

test('a second npm start reports where the first runs and exits without an error', () => {
  const { stdout, status } = start({ DATA_DIR: aRunningStack() });
  expect(stdout).toContain('already running at http://localhost:8765');
  expect(stdout).toContain('DATA_DIR=.data2');
  expect(status).toBe(0);
});

test('--fresh next to a running stack deletes nothing and fails', () => {
  const folder = aRunningStack();
  writeFileSync(join(folder, 'secrets.json'), '{}');
  const { stderr, status } = start({ DATA_DIR: folder }, '--fresh');
  expect(stderr).toContain('Stop it first');
  expect(status).toBe(1);
  expect(existsSync(join(folder, 'secrets.json'))).toBe(true);
});

test('a port in use is reported with its variable, and nothing is left running', async () => {
  const [port = 0] = await chooseFreePorts(1);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const folder = temporaryFolder();
  const { stderr, status } = start({ DATA_DIR: folder, PORT: String(port) });
  expect(stderr).toContain(`Port ${port} for the product is taken by another program.`);
  expect(stderr).toContain(`PORT=${port + 1000} npm start`);
  expect(stderr).not.toContain('at ');
  expect(status).toBe(1);
  expect(existsSync(join(folder, 'run/launcher.lock'))).toBe(false);
});

test.each([
  [{ PORT: 'eighty' }, [], 'PORT must be a port between 1 and 65535; it is "eighty".'],
  [{ PORT: '8123', SANDBOX_PORT: '8123' }, [], 'PORT and SANDBOX_PORT must differ.'],
  [{}, ['--frsh'], 'Unknown option "--frsh". Available: npm start -- --fresh'],
])('an invalid setting is named: %j %j', (env, args, words) => {
  const { stderr, status } = start({ DATA_DIR: temporaryFolder(), ...env }, ...args);
  expect(stderr.trim()).toBe(words);
  expect(status).toBe(1);
});

test('an unreachable Redis of your own is named, without its password', async () => {
  const [port = 0] = await chooseFreePorts(1);
  const REDIS_URL = `redis://:secret@127.0.0.1:${port}`;
  const [PORT = 0, SANDBOX_PORT = 0] = await chooseFreePorts(2);
  const { stderr, status } = start({
    DATA_DIR: temporaryFolder(),
    PORT: String(PORT),
    SANDBOX_PORT: String(SANDBOX_PORT),
    REDIS_URL,
  });
  expect(stderr.trim()).toBe(
    `Nothing responds at REDIS_URL (127.0.0.1:${port}). Start that server, correct the URL, or unset REDIS_URL.`,
  );
  expect(status).toBe(1);
});

test('a read-only data directory is named', () => {
  const file = join(temporaryFolder(), 'in-the-way');
  writeFileSync(file, '');
  const { stderr, status } = start({ DATA_DIR: join(file, 'data') });
  expect(stderr).toContain(file);
  expect(stderr).toContain('DATA_DIR=');
  expect(status).toBe(1);
});

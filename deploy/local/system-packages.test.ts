import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { findProgram, requirePrograms } from './system-packages.ts';

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

const absent = (name: string) => ({
  commands: [`${name}-that-is-not-there`],
  debian: `${name}-deb`,
  fedora: `${name}-rpm`,
  macos: `${name}-brew`,
});

test('missing servers are listed in one message, with the package for Debian, Fedora and macOS', async () => {
  // Without a PATH there is no apt, like on a machine without permission to install.
  process.env.PATH = '';
  const required = requirePrograms(
    [absent('queue'), absent('bus')],
    () => undefined,
    'Or elsewhere.',
  );
  await expect(required).rejects.toThrow(
    [
      'Not found on this machine: queue-that-is-not-there, bus-that-is-not-there. Install it and start again:',
      '  Debian, Ubuntu:  sudo apt-get install queue-deb bus-deb',
      '  Fedora:          sudo dnf install queue-rpm bus-rpm',
      '  macOS:           brew install queue-brew bus-brew',
      'Or elsewhere.',
    ].join('\n'),
  );
});

test("any of a program's names is found", () => {
  const program = { ...absent('shell'), commands: ['not-this-one', 'sh'] };
  expect(findProgram(program, '/bin')).toBe('/bin/sh');
});

test("a program's first name is preferred, whichever folder it's in", () => {
  const root = mkdtempSync(join(tmpdir(), 'programs-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [shell, whole] = ['shell', 'whole'].map((name) => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, name), '', { mode: 0o755 });
    return join(root, name);
  });
  const program = { ...absent('browser'), commands: ['shell', 'whole'] };
  expect(findProgram(program, `${whole}:${shell}`)).toBe(`${shell}/shell`);
});

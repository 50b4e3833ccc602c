import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Print } from './console.ts';
import { LauncherError } from './failure.ts';
import { isRoot } from './layout.ts';
import { runProgram } from './run-program.ts';

/** A system program and its package. */
export interface SystemProgram {
  commands: string[];
  debian: string;
  fedora: string;
  macos: string;
}

export const redisServer: SystemProgram = {
  commands: ['redis-server', 'valkey-server'],
  debian: 'redis-server',
  fedora: 'valkey',
  macos: 'redis',
};
export const natsServer: SystemProgram = {
  commands: ['nats-server'],
  debian: 'nats-server',
  fedora: 'nats-server',
  macos: 'nats-server',
};
/** Prefers the headless shell, which uses less than half the CPU per page. */
export const chromium: SystemProgram = {
  commands: [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
  ],
  debian: 'chromium-headless-shell',
  fedora: 'chromium',
  macos: '--cask chromium',
};
export const headlessShell: SystemProgram = { ...chromium, commands: ['chromium-headless-shell'] };

// Servers are often missing from a normal user's PATH.
const extraFolders = [
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
];

export function findProgram(
  program: Pick<SystemProgram, 'commands'>,
  path = process.env.PATH ?? '',
): string | null {
  const folders = [...path.split(delimiter), ...extraFolders].filter(Boolean);
  for (const command of program.commands) {
    for (const folder of folders) {
      const file = join(folder, command);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

/** Returns the apt command for this user, or null if apt can't be used. */
function aptCommand(): string[] | null {
  if (spawnSync('apt-get', ['--version']).status !== 0) return null;
  if (isRoot()) return ['apt-get'];
  if (spawnSync('sudo', ['-n', 'true']).status !== 0) return null;
  // sudo drops the environment, so pass it on the command line.
  return ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
}

/** Returns the output of a failed command, or null. */
async function run([file = '', ...first]: string[], args: string[]): Promise<string | null> {
  const { code, output } = await runProgram(file, [...first, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    // Ctrl-C waits, because a partially configured package would be worse.
    detached: true,
  });
  return code === 0 ? null : output;
}

async function aptInstall(apt: string[], packages: string[], print: Print): Promise<string | null> {
  print(`Installing ${packages.join(' and ')} with apt ...`);
  const options = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2', '-q'];
  const install = ['install', '-y', '--no-install-recommends', ...options, ...packages];
  // Package lists may be missing or outdated; update them only then.
  if ((await run(apt, install)) === null) return null;
  await run(apt, ['update', ...options]);
  return run(apt, install);
}

function describeMissing(missing: SystemProgram[], aptWords: string | null): string {
  const names = (key: 'debian' | 'fedora' | 'macos') => missing.map((it) => it[key]).join(' ');
  return [
    `Not found on this machine: ${missing.map((it) => it.commands[0]).join(', ')}. Install it and start again:`,
    `  Debian, Ubuntu:  sudo apt-get install ${names('debian')}`,
    `  Fedora:          sudo dnf install ${names('fedora')}`,
    `  macOS:           brew install ${names('macos')}`,
    ...(aptWords ? [`apt failed: ${aptWords.split('\n').slice(-3).join(' / ')}`] : []),
  ].join('\n');
}

/** Finds the programs, installing missing ones with apt if this user may. */
export async function requirePrograms(
  programs: SystemProgram[],
  print: Print,
  hint = '',
): Promise<string[]> {
  const missing = programs.filter((program) => findProgram(program) === null);
  let aptWords: string | null = null;
  if (missing.length > 0) {
    const apt = aptCommand();
    const packages = missing.map((program) => program.debian);
    if (apt) aptWords = await aptInstall(apt, packages, print);
  }
  const still = missing.filter((program) => findProgram(program) === null);
  if (still.length > 0)
    throw new LauncherError([describeMissing(still, aptWords), hint].join('\n').trim());
  return programs.map((program) => findProgram(program) ?? '');
}

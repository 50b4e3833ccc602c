import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from './ports.ts';
import { signalProcess, startedAt } from './process-identity.ts';
import { endStaleProcesses } from './process-list.ts';
import type { ProcessSpec } from './supervised-process.ts';
import { createSupervisor } from './supervisor.ts';
import { temporaryFolder } from './test/temporary-folder.ts';

const idle = 'setInterval(() => undefined, 1000);';

function aSupervisor() {
  const folder = temporaryFolder();
  const logsDir = join(folder, 'logs');
  const runDir = join(folder, 'run');
  for (const each of [logsDir, runDir]) mkdirSync(each);
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const supervisor = createSupervisor({ logsDir, runDir, print });
  onTestFinished(async () => {
    await supervisor.stop(supervisor.processes().map(({ name }) => name));
    supervisor.close();
  });
  const spec = (name: string, script: string): ProcessSpec => ({
    name,
    command: process.execPath,
    args: ['-e', script],
    env: {},
    cwd: folder,
    port: 0,
  });
  return { supervisor, printed, logsDir, runDir, spec };
}

test('a killed process is restarted and counted', async () => {
  const { supervisor, spec } = aSupervisor();
  await supervisor.start(spec('one', idle));
  const before = supervisor.processes()[0]?.pid;
  supervisor.kill('one', 'SIGKILL');
  const isRestarted = () => {
    const now = supervisor.processes()[0]?.pid;
    return now !== undefined && now !== before;
  };
  expect(await waitUntil(isRestarted, 10_000)).toBe(true);
  expect(supervisor.restartCount()).toBe(1);
});

test('a stopped process stays down, even if it had to be killed', async () => {
  const { supervisor, spec, printed, logsDir } = aSupervisor();
  const ignoresSigterm = `process.on("SIGTERM", () => undefined); console.log("up"); ${idle}`;
  await supervisor.start({ ...spec('stubborn', ignoresSigterm), graceMs: 300 });
  const pid = supervisor.processes()[0]?.pid ?? 0;
  const isUp = () => readFileSync(join(logsDir, 'stubborn.log'), 'utf8').includes('up');
  expect(await waitUntil(isUp, 10_000)).toBe(true);
  await supervisor.stop(['stubborn']);
  expect(startedAt(pid)).toBeNull();
  expect(supervisor.processes()).toEqual([]);
  expect(supervisor.restartCount()).toBe(0);
  expect(printed).toEqual(['[stubborn] did not stop within 0.3 s and was killed']);
});

test('a process that keeps exiting is reported once, with its last lines and its log, or with the invalid setting', async () => {
  const { supervisor, spec, printed, logsDir } = aSupervisor();
  const invalidConfig =
    'throw new Error("The configuration is not usable. LOG_LEVEL: must be loud")';
  await supervisor.start(spec('broken', 'console.error("no such setting"); process.exit(3)'));
  await supervisor.start(spec('misled', invalidConfig));
  expect(await waitUntil(() => supervisor.crashLoops().length > 1, 20_000)).toBe(true);
  expect(printed).toContain(
    '[misled] The configuration is not usable. LOG_LEVEL: must be loud\n  Correct or unset these variables and start again.',
  );
  const report = printed.filter((line) => line.includes('keeps exiting'));
  expect(report).toHaveLength(1);
  expect(report[0]).toContain('no such setting');
  expect(report[0]).toContain(join(logsDir, 'broken.log'));
});

test('warnings and errors reach the terminal, everything else only the log', async () => {
  const { supervisor, spec, printed, logsDir } = aSupervisor();
  const say = (level: string, msg: string) => `console.log('${JSON.stringify({ level, msg })}');`;
  await supervisor.start(
    spec('talker', say('info', 'all is well') + say('error', 'it hurts') + idle),
  );
  expect(await waitUntil(() => printed.length > 0, 10_000)).toBe(true);
  expect(printed).toEqual(['[talker] it hurts']);
  expect(readFileSync(join(logsDir, 'talker.log'), 'utf8')).toContain('all is well');
});

test('work while a process is down runs without it', async () => {
  const { supervisor, spec } = aSupervisor();
  await supervisor.start(spec('one', idle));
  const before = supervisor.processes()[0]?.pid ?? 0;
  let seen: string | null = 'not looked';
  await supervisor.whileDown('one', () => {
    seen = startedAt(before);
  });
  expect(seen).toBeNull();
  expect(supervisor.processes()).toHaveLength(1);
});

test('a process that its launcher could not list in time is stopped too', async () => {
  const folder = temporaryFolder();
  const { launcher, pids } = await startFakeLauncher(folder);
  const [list = ''] = readdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'run', list), '');
  launcher.kill('SIGKILL');
  expect(await waitUntil(() => pids.every((pid) => startedAt(pid) === null), 15_000)).toBe(true);
});

async function startFakeLauncher(folder: string) {
  const script = join(import.meta.dirname, 'test/fake-launcher.ts');
  const launcher = spawn(process.execPath, [script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void launcher.kill('SIGKILL'));
  const [line] = (await once(launcher.stdout, 'data')) as [Buffer];
  return { launcher, pids: JSON.parse(line.toString()) as number[] };
}

test('kill -9 of a launcher leaves nothing running', async () => {
  const folder = temporaryFolder();
  const { launcher, pids } = await startFakeLauncher(folder);
  expect(pids).toHaveLength(3);
  launcher.kill('SIGKILL');
  expect(await waitUntil(() => pids.every((pid) => startedAt(pid) === null), 15_000)).toBe(true);
  const lists = () => readdirSync(join(folder, 'run'));
  expect(await waitUntil(() => lists().length === 0, 5000)).toBe(true);
});

test('the next start stops what a killed launcher and its reaper left running', async () => {
  const folder = temporaryFolder();
  const { launcher, pids } = await startFakeLauncher(folder);
  const reaper = childrenOf(launcher.pid ?? 0).find((pid) => !pids.includes(pid)) ?? 0;
  process.kill(reaper, 'SIGKILL');
  launcher.kill('SIGKILL');
  await waitUntil(() => startedAt(launcher.pid ?? 0) === null, 5000);
  await endStaleProcesses(join(folder, 'run'));
  expect(pids.every((pid) => startedAt(pid) === null)).toBe(true);
});

test('kill -9 of a test run leaves no service running', async () => {
  const folder = temporaryFolder();
  const ready = "JSON.stringify({ msg: 'ready', pid: process.pid })";
  writeFileSync(join(folder, 'service.mjs'), `console.log(${ready}); ${idle}`);
  const script = join(import.meta.dirname, 'test/fake-test-run.ts');
  const run = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(run.stdout, 'data')) as [Buffer];
  const { pid } = JSON.parse(line.toString()) as { pid: number };
  onTestFinished(() => signalProcess(pid, 'SIGKILL'));
  expect(startedAt(pid)).not.toBeNull();
  run.kill('SIGKILL');
  expect(await waitUntil(() => startedAt(pid) === null, 10_000)).toBe(true);
});

function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
}

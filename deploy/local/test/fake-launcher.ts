// Starts processes like a launcher and prints their pids; tests end it in various ways.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSupervisor } from '../supervisor.ts';

const folder = process.argv[2] ?? '';
const logsDir = join(folder, 'logs');
const runDir = join(folder, 'run');
mkdirSync(logsDir, { recursive: true });
mkdirSync(runDir, { recursive: true });
const supervisor = createSupervisor({ logsDir, runDir, print: () => undefined });
for (const name of ['one', 'two', 'three']) {
  await supervisor.start({
    name,
    command: process.execPath,
    args: ['-e', 'setInterval(() => undefined, 1000)'],
    env: {},
    cwd: folder,
    port: 0,
  });
}
console.log(JSON.stringify(supervisor.processes().map(({ pid }) => pid)));
setInterval(() => undefined, 1000);

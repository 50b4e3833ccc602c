// For live updates: runs a process, and anew when a source has changed. Node's own --watch looks at files, and loses one for
// good when it is replaced, which is how Tilt copies; folders see it.
import { spawn } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

const sources = ['libs', 'services'];
let watched = [];
let child;
let soon;
let again = false;
let ending = false;

function start() {
  again = false;
  for (const folder of watched) folder.close();
  watched = sources.flatMap((source) => [
    watch(source, changed),
    ...readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => watch(join(entry.parentPath, entry.name), changed)),
  ]);
  child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
  child.once('exit', (code) => {
    child = undefined;
    if (ending) process.exit(code ?? 1);
    if (again) start();
  });
}

function changed() {
  clearTimeout(soon);
  // Several files come at once.
  soon = setTimeout(() => {
    if (!child) return start();
    again = true;
    child.kill();
  }, 50);
}

for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    ending = true;
    clearTimeout(soon);
    if (!child) process.exit(0);
    child.kill(signal);
  });

start();

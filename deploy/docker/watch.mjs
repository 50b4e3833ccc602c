// For live updates: runs a process, and anew when a source has changed. Node's own --watch looks at files, and loses one for
// good when it is replaced, which is how Tilt copies; folders see it.
import { spawn } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

const sources = ['libs', 'services'];
const watched = [];
let child;
let soon;
let again = false;
let ending = false;

function start() {
  again = false;
  for (const folder of watched.splice(0)) folder.close();
  try {
    for (const source of sources) watchAll(source);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    // A folder has gone while we looked: more is being copied.
    return changed();
  }
  child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
  child.once('exit', (code) => {
    child = undefined;
    if (ending) process.exit(code ?? 1);
    if (again) start();
  });
}

function watchAll(source) {
  watched.push(watch(source, changed));
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) watched.push(watch(join(entry.parentPath, entry.name), changed));
}

function changed() {
  // Its end is under way, and what starts then sees this change too.
  if (again) return;
  clearTimeout(soon);
  // Several files come at once.
  soon = setTimeout(() => {
    if (!child) return start();
    again = true;
    // At SIGTERM our processes wait for their clients to leave.
    child.kill('SIGINT');
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

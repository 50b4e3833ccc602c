// Restarts a process when a source changes, for live updates. Node's own --watch loses track of files that are
// replaced, which is how Tilt copies them, so this watches folders.
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
    // A folder disappeared: more files are being copied.
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
  // A restart is in progress and will include this change.
  if (again) return;
  clearTimeout(soon);
  // Several files can change together.
  soon = setTimeout(() => {
    if (!child) return start();
    again = true;
    // On SIGTERM, processes wait for their clients.
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

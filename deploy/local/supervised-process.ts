import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LineWatcher, type Print, watchLines } from './console.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { signalProcess } from './process-identity.ts';
import type { ProcessList } from './process-list.ts';

export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  port: number;
  /** Port of probes and metrics, if not `port`. */
  opsPort?: number;
  uid?: number;
  gid?: number;
  stopSignal?: NodeJS.Signals;
  graceMs?: number;
  /** Runs before every start, the first and each restart. */
  prepare?: () => Promise<void> | void;
}

export interface Surroundings {
  logsDir: string;
  list: ProcessList;
  print: Print;
}

const minPauseMs = 200;
const maxPauseMs = 5000;
const healthyAfterMs = 10_000;
const crashLoopExits = 5;
const usualGraceMs = 10_000;
/** Start of a process's error about invalid variables; its stack trace isn't useful. */
const unusableSettings = /^Error: (The configuration is not usable\..*)/;

export class SupervisedProcess {
  readonly spec: ProcessSpec;
  restarts = 0;
  #around: Surroundings;
  #log: LogFile;
  #lines: LineWatcher;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #wanted = false;
  #deathsInARow = 0;
  #startedAt = 0;
  #restartTimer: NodeJS.Timeout | undefined;

  constructor(spec: ProcessSpec, around: Surroundings) {
    this.spec = spec;
    this.#around = around;
    this.#log = openLogFile(join(around.logsDir, `${spec.name}.log`));
    this.#lines = watchLines(spec.name, this.#log.path, around.print);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isInCrashLoop(): boolean {
    return this.#deathsInARow >= crashLoopExits;
  }

  async start(): Promise<void> {
    this.#wanted = true;
    await this.#launch();
  }

  /** Requests a stop, and kills the process after the grace period. */
  async stop(): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#restartTimer);
    const pid = this.pid;
    if (!pid) return;
    const graceMs = this.spec.graceMs ?? usualGraceMs;
    signalProcess(pid, this.spec.stopSignal ?? 'SIGTERM');
    const patience = new AbortController();
    const ended = await Promise.race([
      this.#ended.then(() => true),
      delay(graceMs, false, { signal: patience.signal }).catch(() => false),
    ]);
    patience.abort();
    if (ended) return;
    this.#around.print(
      `[${this.spec.name}] did not stop within ${graceMs / 1000} s and was killed`,
    );
    signalProcess(pid, 'SIGKILL');
    await this.#ended;
  }

  async whileDown(work: () => Promise<void> | void): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#restartTimer);
    this.kill('SIGKILL');
    await this.#ended;
    await work();
    this.restarts += 1;
    await this.start();
  }

  kill(signal: NodeJS.Signals): void {
    if (this.pid) signalProcess(this.pid, signal);
  }

  close(): void {
    this.#log.close();
  }

  /** Returns a message about a process that keeps exiting. */
  describeCrashLoop(): string {
    const words = this.#lines.lastLines();
    const [settings] = words.flatMap((line) => unusableSettings.exec(line)?.[1] ?? []);
    if (settings) {
      return `[${this.spec.name}] ${settings}\n  Correct or unset these variables and start again.`;
    }
    const diskFull = words.some((line) => /ENOSPC|no space left/i.test(line));
    return [
      `[${this.spec.name}] keeps exiting${diskFull ? ' because the disk is full' : ''}. Last lines:`,
      ...words.map((line) => `    ${line}`),
      `  Full log: ${this.#log.path}`,
    ].join('\n');
  }

  async #launch(): Promise<void> {
    await this.spec.prepare?.();
    if (!this.#wanted) return;
    const { command, args, cwd, env, uid, gid } = this.spec;
    const child = spawn(command, args, {
      cwd,
      env: { ...env, ...this.#around.list.mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so Ctrl-C reaches only the launcher, which stops processes in order.
      detached: true,
      ...(uid === undefined ? {} : { uid, gid }),
    });
    this.#child = child;
    this.#startedAt = performance.now();
    this.#watch(child);
  }

  #watch(child: ChildProcess): void {
    const { list } = this.#around;
    const { name, stopSignal } = this.spec;
    if (child.pid) list.add(child.pid, stopSignal ?? 'SIGTERM', name);
    const take = (text: string): void => {
      this.#log.write(text);
      this.#lines.feed(text);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    const onEnd = (reason: string): void => {
      if (this.#child !== child) return;
      this.#child = null;
      if (child.pid) list.remove(child.pid);
      resolve();
      if (this.#wanted) this.#scheduleRestart(reason);
    };
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
  }

  #scheduleRestart(reason: string): void {
    const { print } = this.#around;
    if (performance.now() - this.#startedAt > healthyAfterMs) this.#deathsInARow = 0;
    const pauseMs = Math.min(minPauseMs * 2 ** this.#deathsInARow, maxPauseMs);
    this.#deathsInARow += 1;
    this.#log.write(`-- exited (${reason}); restarting in ${pauseMs} ms\n`);
    if (this.#deathsInARow === crashLoopExits) print(this.describeCrashLoop());
    else if (!this.isInCrashLoop) print(`[${this.spec.name}] exited (${reason}); restarting`);
    this.#restartTimer = setTimeout(() => {
      if (!this.#wanted) return;
      this.restarts += 1;
      this.#launch().catch((error: Error) => this.#scheduleRestart(error.message));
    }, pauseMs);
  }
}

import type { Clock } from '@daylift/clock/clock';
import { countActivity, isActive, noteActivity, onActivity } from './activity.ts';
import type { Logger } from './logger.ts';
import { Counter, Gauge } from './metrics.ts';
import { runOutsideRequests } from './request-scope.ts';

export interface Loop {
  name: string;
  /** Wall-clock interval between runs. Without it, the loop only takes part in settling. */
  everyMs?: number;
  /**
   * Longest interval while the process is idle and runs find nothing. Shorter for work that other processes leave
   * behind and someone waits for.
   */
  restMs?: number;
  /** For background work: settling runs it only after the product clock has advanced this far. */
  settleEveryMs?: number;
  /** Does the work that is due and returns how much it was. Safe to run concurrently on any number of replicas. */
  run?(): Promise<number>;
  /** Returns the amount of work waiting or in progress elsewhere (jobs, unacknowledged events). */
  pending?(): Promise<number>;
  /** Returns a counter of work that leaves none to this process's loops; `run` doesn't return it. */
  done?(): number;
  /** Returns the next instant of the product's clock with work to do. */
  nextAt?(): Promise<Date | null>;
  close?(): void;
}

export interface Settled {
  busy: number;
  /** Grows with everything done. */
  work: number;
  next_at: string | null;
}

export interface Loops {
  start(): void;
  nudge(name: string): void;
  /**
   * Runs every loop until none finds work, then returns what is left. If nothing has been done since the last call with
   * the same `outside`, which names all that others may have left to this process, only returns what is left.
   */
  settle(outside?: string): Promise<Settled>;
  stop(): Promise<void>;
}

interface Runner {
  loop: Loop;
  running: Promise<number> | null;
  again: boolean;
  timer: NodeJS.Timeout | null;
  /** When the timer ends. */
  dueMs: number;
  /** Consecutive runs that found nothing. */
  emptyRuns: number;
  /** Product time of the last settling that ran it. */
  settledAt: Date | null;
}

const lastSuccess = new Gauge({
  name: 'loop_last_success_timestamp_seconds',
  help: 'Last successful run of a loop that runs at least once a minute; initially, its start',
  labelNames: ['loop'],
});
const failures = new Counter({
  name: 'loop_failures_total',
  help: 'Failed runs of a loop',
  labelNames: ['loop'],
});
const isRunning = ({ running }: Runner): boolean => running !== null;
const oftenMs = 60_000;
const defaultRestMs = 10_000;
/** Finding the next instant costs about as much as a run. */
const minRestForNextAtMs = 1_000;

function noteSuccess({ name, everyMs }: Loop): void {
  if (everyMs !== undefined && everyMs <= oftenMs) lastSuccess.labels(name).setToCurrentTime();
}

export function createLoops(loops: Loop[], deps: { clock: Clock; log: Logger }): Loops {
  const runners: Runner[] = loops.map((loop) => ({
    loop,
    running: null,
    again: false,
    timer: null,
    dueMs: 0,
    emptyRuns: 0,
    settledAt: null,
  }));
  let stopped = false;
  /** The last settling that ran the loops without a failure since. */
  let settled: { after: string; isAtRest: boolean; nextAt: string | null } | null = null;

  function runOnce(runner: Runner): Promise<number> {
    runner.running ??= (async () => {
      try {
        const found = (await runner.loop.run?.()) ?? 0;
        runner.emptyRuns = found > 0 ? 0 : runner.emptyRuns + 1;
        if (found > 0) noteActivity();
        noteSuccess(runner.loop);
        return found;
      } catch (error) {
        failures.labels(runner.loop.name).inc();
        // It may have left work, like a run that is unfinished.
        settled = null;
        throw error;
      } finally {
        runner.running = null;
      }
    })();
    return runner.running;
  }

  /** Returns whether it found work. */
  async function drain(runner: Runner): Promise<boolean> {
    let foundWork = false;
    while (!stopped && (await runOnce(runner)) > 0) foundWork = true;
    return foundWork;
  }

  /** Skips background work (`settleEveryMs`) unless enough product time has passed. */
  async function drainToSettle(runner: Runner): Promise<boolean> {
    const { settleEveryMs } = runner.loop;
    const now = deps.clock.now();
    const since = now.getTime() - (runner.settledAt?.getTime() ?? 0);
    if (settleEveryMs !== undefined && since < settleEveryMs) return false;
    const foundWork = await drain(runner);
    runner.settledAt = now;
    return foundWork;
  }

  async function findNextAt(): Promise<string | null> {
    const next = await Promise.all(loops.map((loop) => loop.nextAt?.() ?? null));
    const instants = next.filter((at) => at !== null).map((at) => at.getTime());
    return instants.length === 0 ? null : new Date(Math.min(...instants)).toISOString();
  }

  async function drainNudged(runner: Runner): Promise<void> {
    do {
      runner.again = false;
      await drain(runner);
    } while (runner.again && !stopped);
  }

  /** Doubles the interval after each empty run while the process is idle, up to the next known instant. */
  async function nextWait({ loop, emptyRuns }: Runner): Promise<number> {
    const { everyMs = 0, restMs = defaultRestMs } = loop;
    if (isActive()) return everyMs;
    const longest = Math.max(everyMs, Math.min(everyMs * 2 ** Math.min(emptyRuns, 10), restMs));
    if (longest <= minRestForNextAtMs) return longest;
    const at = await loop.nextAt?.();
    const untilMs = at ? at.getTime() - deps.clock.now().getTime() : longest;
    return Math.max(everyMs, Math.min(longest, untilMs));
  }

  function schedule(runner: Runner, waitMs: number): void {
    if (stopped) return;
    runner.dueMs = performance.now() + waitMs;
    runner.timer = setTimeout(async () => {
      runner.timer = null;
      let next = runner.loop.everyMs ?? 0;
      try {
        await drainNudged(runner);
        next = await nextWait(runner);
      } catch (error) {
        deps.log.error({ err: error, loop: runner.loop.name }, 'loop failed; retrying');
      }
      schedule(runner, isActive() ? (runner.loop.everyMs ?? 0) : next);
    }, waitMs);
  }

  const stopListening = onActivity(() => {
    for (const runner of runners) {
      if (runner.timer === null) continue;
      clearTimeout(runner.timer);
      // Never later than planned: each activity after a rest would postpone a rare loop again.
      const leftMs = Math.max(0, runner.dueMs - performance.now());
      schedule(runner, Math.min(leftMs, runner.loop.everyMs ?? 0));
    }
  });

  return {
    start() {
      for (const runner of runners) {
        // Counted from the start, so a loop that never succeeds alerts too.
        noteSuccess(runner.loop);
        if (runner.loop.everyMs !== undefined) schedule(runner, runner.loop.everyMs);
      }
    },
    nudge(name) {
      const runner = runners.find((one) => one.loop.name === name);
      if (runner === undefined || stopped) return;
      if (runner.running !== null) {
        runner.again = true;
        return;
      }
      // Outside of the request, because the run also processes work of other requests.
      runOutsideRequests(() => drainNudged(runner)).catch((error) =>
        deps.log.error({ err: error, loop: name }, 'loop failed; retrying'),
      );
    },
    async settle(outside) {
      const after = `${outside} ${countActivity()}`;
      const isSettled = settled?.isAtRest && settled.after === after && !runners.some(isRunning);
      let current = settled;
      if (current === null || outside === undefined || !isSettled) {
        const foundWork = (await Promise.all(runners.map(drainToSettle))).includes(true);
        // After work, the caller settles again, and that call finds the next instant. A restarted process always finds it,
        // because its `work` may happen to be what the caller last read.
        const nextAt = foundWork && current !== null ? current.nextAt : await findNextAt();
        current = { after, isAtRest: false, nextAt };
        settled = current;
      }
      const pending = await Promise.all(loops.map((loop) => loop.pending?.() ?? 0));
      const busy = pending.reduce((sum, one) => sum + one, 0);
      current.isAtRest = busy === 0;
      const work = loops.reduce((sum, loop) => sum + (loop.done?.() ?? 0), countActivity());
      return { busy, work, next_at: current.nextAt };
    },
    async stop() {
      stopped = true;
      stopListening();
      for (const runner of runners) if (runner.timer !== null) clearTimeout(runner.timer);
      await Promise.allSettled(runners.map((runner) => runner.running));
      for (const loop of loops) loop.close?.();
    },
  };
}

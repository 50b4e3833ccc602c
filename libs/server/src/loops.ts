import type { Clock } from '@daylift/clock/clock';
import type { Logger } from './logger.ts';
import { Counter, Gauge } from './metrics.ts';
import { outsideRequests } from './request-scope.ts';

/** Work that a process looks for again and again. Every part is optional but the name. */
export interface Loop {
  name: string;
  /** Wall-clock pause between two looks; without it the loop only takes part in settling. */
  everyMs?: number;
  /** One look: does what is due and answers how much that was. Safe to run on any number of replicas at once. */
  run?(): Promise<number>;
  /** Work that is waiting for now or under way elsewhere (jobs, unacknowledged events). */
  pending?(): Promise<number>;
  /** How much was ever done outside `run`; only grows. */
  done?(): number;
  /** The earliest later instant of the product's time at which there will be something to do. */
  nextAt?(): Promise<Date | null>;
}

export interface Settled {
  busy: number;
  work: number;
  next_at: string | null;
}

export interface Loops {
  start(): void;
  /** Looks at once instead of at the next beat, if the loop is not looking already. */
  nudge(name: string): void;
  /** Runs every loop until it finds nothing, then tells what is left. */
  settle(): Promise<Settled>;
  stop(): Promise<void>;
}

interface Runner {
  loop: Loop;
  running: Promise<number> | null;
  again: boolean;
  timer: NodeJS.Timeout | null;
}

const lastSuccess = new Gauge({
  name: 'loop_last_success_timestamp_seconds',
  help: 'When a loop that looks at least once a minute last looked without an error; at first, when it began',
  labelNames: ['loop'],
});
const failures = new Counter({
  name: 'loop_failures_total',
  help: 'Looks of a loop that ended with an error',
  labelNames: ['loop'],
});
const oftenMs = 60_000;

function noteSuccess({ name, everyMs }: Loop): void {
  if (everyMs !== undefined && everyMs <= oftenMs) lastSuccess.labels(name).setToCurrentTime();
}

export function createLoops(loops: Loop[], deps: { clock: Clock; log: Logger }): Loops {
  const runners: Runner[] = loops.map((loop) => ({
    loop,
    running: null,
    again: false,
    timer: null,
  }));
  let work = 0;
  let stopped = false;

  /** At most one look of a loop at a time; whoever comes meanwhile waits for it. */
  function look(runner: Runner): Promise<number> {
    runner.running ??= (async () => {
      try {
        const found = (await runner.loop.run?.()) ?? 0;
        work += found;
        noteSuccess(runner.loop);
        return found;
      } catch (error) {
        failures.labels(runner.loop.name).inc();
        throw error;
      } finally {
        runner.running = null;
      }
    })();
    return runner.running;
  }

  async function drain(runner: Runner): Promise<void> {
    while (!stopped && (await look(runner)) > 0);
  }

  function beat(runner: Runner): void {
    if (stopped || runner.loop.everyMs === undefined) return;
    runner.timer = setTimeout(async () => {
      try {
        do {
          runner.again = false;
          await drain(runner);
        } while (runner.again && !stopped);
      } catch (error) {
        deps.log.error({ err: error, loop: runner.loop.name }, 'a loop failed and will look again');
      }
      beat(runner);
    }, runner.loop.everyMs);
  }

  return {
    start() {
      for (const runner of runners) {
        // One that never succeeds from now on is to be missed like one that stops.
        noteSuccess(runner.loop);
        beat(runner);
      }
    },
    nudge(name) {
      const runner = runners.find((one) => one.loop.name === name);
      if (runner === undefined || stopped) return;
      if (runner.running !== null) {
        runner.again = true;
        return;
      }
      // It finds the work of others as well.
      outsideRequests(() => drain(runner)).catch((error) =>
        deps.log.error({ err: error, loop: name }, 'a loop failed and will look again'),
      );
    },
    async settle() {
      await Promise.all(runners.map((runner) => drain(runner)));
      const busy = await Promise.all(loops.map((loop) => loop.pending?.() ?? 0));
      const next = await Promise.all(loops.map((loop) => loop.nextAt?.() ?? null));
      const instants = next.filter((at) => at !== null).map((at) => at.getTime());
      return {
        busy: busy.reduce((sum, one) => sum + one, 0),
        work: loops.reduce((sum, loop) => sum + (loop.done?.() ?? 0), work),
        next_at: instants.length === 0 ? null : new Date(Math.min(...instants)).toISOString(),
      };
    },
    async stop() {
      stopped = true;
      for (const runner of runners) if (runner.timer !== null) clearTimeout(runner.timer);
      await Promise.allSettled(runners.map((runner) => runner.running));
    },
  };
}

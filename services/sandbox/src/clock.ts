import { isActive } from '@daylift/server/activity';
import type { Store } from './store.ts';

/** A part of the sandbox that acts as time passes: a trial ends, a queued text leaves. */
export interface Engine {
  name: string;
  /** Returns the next instant with work to do, or null. */
  nextAt(): Date | null;
  /** Does everything due up to `now`, in order, and returns how much it did. */
  runUntil(now: Date): Promise<number>;
  /** Returns how much else is in progress that an advance waits for; defaults to none. */
  pending?(): number;
}

const TICK_MS = 20;
/** Longer tick while no requests arrive, to save CPU time. */
const RESTING_TICK_MS = 100;

export type SandboxClock = ReturnType<typeof openClock>;

/**
 * The product's time: the wall clock plus an offset that only grows and survives a restart. Opens at its saved offset,
 * or on an empty store at `clockStart`.
 */
export function openClock(store: Store, clockStart: Date | undefined) {
  const saved = store.collection<{ offset_ms: number }>('clock');
  const initialMs = clockStart === undefined ? 0 : clockStart.getTime() - Date.now();
  let offsetMs = saved.get('clock')?.offset_ms ?? initialMs;
  const listeners = new Set<(offsetMs: number) => void>();
  const engines: Engine[] = [];
  let running: Promise<number> = Promise.resolve(0);

  const save = () => saved.put('clock', { offset_ms: offsetMs });
  const now = () => new Date(Date.now() + offsetMs);
  if (saved.get('clock') === undefined) save();
  // A reset doesn't turn time back.
  store.onReset(save);

  async function runAll(): Promise<number> {
    let done = 0;
    for (const engine of engines) done += await engine.runUntil(now());
    return done;
  }
  function runEngines(): Promise<number> {
    running = running.catch(() => 0).then(runAll);
    return running;
  }

  return {
    now,
    offsetMs: () => offsetMs,
    /** Moves `now()` forward to that instant. Written to the disk first, so a kill never turns time back. */
    moveTo: async (instant: Date) => {
      const next = instant.getTime() - Date.now();
      if (next <= offsetMs) return;
      saved.put('clock', { offset_ms: next });
      await store.flush();
      offsetMs = next;
      for (const listener of listeners) listener(offsetMs);
    },
    /** Calls the listener with each new offset. */
    onMove: (listener: (offsetMs: number) => void) => listeners.add(listener),
    register: (engine: Engine) => engines.push(engine),
    engines,
    /** Runs every engine up to now and returns how much they did. Runs never overlap. */
    runEngines,
    /** Runs the engines whenever something is due, until `stop`. */
    start: (onError: (error: unknown) => void) => {
      let busy = false;
      let timer: NodeJS.Timeout;
      const tick = () => {
        timer = setTimeout(tick, isActive() ? TICK_MS : RESTING_TICK_MS);
        const due = engines.some(
          (engine) => (engine.nextAt()?.getTime() ?? Number.POSITIVE_INFINITY) <= now().getTime(),
        );
        if (!due || busy) return;
        busy = true;
        runEngines()
          .catch(onError)
          .finally(() => {
            busy = false;
          });
      };
      tick();
      return { stop: () => clearTimeout(timer) };
    },
  };
}

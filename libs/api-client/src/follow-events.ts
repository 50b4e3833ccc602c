import { readEvents } from './event-stream.ts';

export interface FollowOptions<T> {
  /** Opens a connection, which ends with `signal`. */
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  onEvent: (event: T) => void;
  /** Called when a connection fails or ends. `isLost` is true from the second failure in a row. */
  onFailure: (error: unknown, isLost: boolean) => void;
  signal: AbortSignal;
  /** A connection without data for this long is considered dead. */
  silentMs: number;
  random?: () => number;
  firstPauseMs?: number;
}

const maxPauseMs = 30_000;

/** Exponential backoff up to 30 s, with jitter. */
export const pauseMs = (failures: number, firstMs: number, random: number): number =>
  Math.min(maxPauseMs, firstMs * 2 ** (failures - 1)) * (0.5 + random / 2);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });

/** Keeps an event stream open until `signal` aborts, reconnecting with backoff. */
export const followEvents = async <T>(options: FollowOptions<T>): Promise<void> => {
  const { signal, random = Math.random, firstPauseMs = 1_000 } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await followOnce(options, () => {
        failures = 0;
      });
      throw new Error('The stream ended.');
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      options.onFailure(error, failures > 1);
    }
    await pause(pauseMs(failures, firstPauseMs, random()), signal);
  }
};

const followOnce = async <T>(options: FollowOptions<T>, onSign: () => void): Promise<void> => {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), options.silentMs);
  try {
    const body = await options.open(AbortSignal.any([options.signal, silent.signal]));
    for await (const data of readEvents(body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), options.silentMs);
      onSign();
      options.onEvent(JSON.parse(data) as T);
    }
  } finally {
    clearTimeout(timer);
  }
};

import { setTimeout as delay } from 'node:timers/promises';

export interface SetWriter<I, R> {
  /** Resolves with the item's result once it is written; rejects if its own write fails. */
  add(item: I): Promise<R>;
}

interface Pending<I, R> {
  item: I;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Writes items in sets. A set collects items for `collectMs`, or until it is full, and waits until the last set is
 * written. A set that fails is written again item by item, so one bad item fails alone. `write` returns a result per
 * item, in order.
 */
export function createSetWriter<I, R>(options: {
  maxItems: number;
  collectMs: number;
  /** Maximum wait for the last set. */
  patienceMs?: number;
  write(items: I[]): Promise<R[]>;
}): SetWriter<I, R> {
  const waiting: Pending<I, R>[] = [];
  let isWriting = false;

  async function writeSet(set: Pending<I, R>[]): Promise<void> {
    try {
      const results = await options.write(set.map(({ item }) => item));
      for (const [index, one] of set.entries()) one.resolve(results[index]!);
    } catch (error) {
      if (set.length === 1) set[0]!.reject(error);
      else for (const one of set) await writeSet([one]);
    }
  }

  async function run(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      if (waiting.length < options.maxItems) await delay(options.collectMs);
      const written = writeSet(waiting.splice(0, options.maxItems));
      if (options.patienceMs === undefined) await written;
      else await Promise.race([written, delay(options.patienceMs, undefined, { ref: false })]);
    }
    isWriting = false;
  }

  return {
    add: (item) =>
      new Promise<R>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!isWriting) void run();
      }),
  };
}

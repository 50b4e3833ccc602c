import { Readable } from 'node:stream';
import { runOutsideRequests } from '@daylift/server/request-scope';
import type { LiveReader } from './live-reader.ts';

const heartbeatMs = 15_000;
const checkMs = 500;
/** Enough for one whole state; whoever reads more slowly gets the latest of it later instead of all of it now. */
const bufferedBytes = 16 * 1024;

interface StreamOptions {
  reader: LiveReader;
  /** Rejects once the admin may not watch any more. */
  checkAccess: () => Promise<unknown>;
  heartbeatMs?: number;
}

export interface LiveStream {
  body: Readable;
  /** Ends it in order; the page connects again. */
  end: () => void;
}

/**
 * Server-sent events: the whole state first, then what changes, and a sign of life in between. A message is made only when
 * the client can take one, of what has changed until then, so that a slow client costs no memory.
 */
export function createLiveStream({ reader, checkAccess, ...options }: StreamOptions): LiveStream {
  const changed = new Set(reader.names());
  let isOwed = true;
  let isWanted = false;
  let isOver = false;

  const flush = (): void => {
    if (!isOwed || !isWanted || isOver) return;
    const message = `event: update\ndata: ${reader.describe(changed)}\n\n`;
    changed.clear();
    isOwed = false;
    isWanted = false;
    body.push(message);
  };
  const owe = (names: readonly string[]): void => {
    for (const name of names) changed.add(name);
    isOwed = true;
    flush();
  };
  const stop = (): void => {
    isOver = true;
    unwatch();
    clearInterval(heartbeat);
    clearInterval(check);
  };
  const end = (): void => {
    if (isOver) return;
    stop();
    body.push(null);
  };

  const body = new Readable({
    highWaterMark: bufferedBytes,
    read() {
      isWanted = true;
      flush();
    },
    destroy(error, done) {
      stop();
      done(error);
    },
  });
  const unwatch = reader.watch(owe);
  const heartbeat = setInterval(() => owe([]), options.heartbeatMs ?? heartbeatMs);
  // It lasts for hours, and is no step of the request that opened it.
  const check = runOutsideRequests(() => setInterval(() => checkAccess().catch(end), checkMs));
  return { body, end };
}

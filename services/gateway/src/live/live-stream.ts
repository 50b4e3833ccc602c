import { Readable } from 'node:stream';
import { runOutsideRequests } from '@daylift/server/request-scope';
import type { LiveReader } from './live-reader.ts';

const heartbeatMs = 15_000;
const checkMs = 500;
/** Enough for one full update. Slow readers skip to the latest state. */
const bufferedBytes = 16 * 1024;

interface StreamOptions {
  reader: LiveReader;
  checkAccess: () => Promise<unknown>;
  heartbeatMs?: number;
}

export interface LiveStream {
  body: Readable;
  end: () => void;
}

/**
 * Sends server-sent events: the full state, then changes, with heartbeats. An update is serialized only when the client
 * can receive it, so slow clients use no memory.
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
  const queueUpdates = (names: readonly string[]): void => {
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
  const unwatch = reader.watch(queueUpdates);
  const heartbeat = setInterval(() => queueUpdates([]), options.heartbeatMs ?? heartbeatMs);
  // Lasts for hours, so it must not be part of the request's trace.
  const check = runOutsideRequests(() => setInterval(() => checkAccess().catch(end), checkMs));
  return { body, end };
}

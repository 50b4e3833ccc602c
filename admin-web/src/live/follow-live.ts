import { ApiError } from '@daylift/api-client/request';
import type { LiveUpdate } from '@daylift/contracts/live.http';
import { live } from '../api.ts';
import { liveState } from './live-state.ts';

/** Polling interval without a stream. */
const pollMs = 30_000;

interface FollowLive {
  put: (update: LiveUpdate) => void;
  /** The session ended or the role changed. */
  onRefused: (code: string) => void;
}

const events = [
  [document, 'visibilitychange'],
  [window, 'pageshow'],
  [window, 'online'],
  [window, 'offline'],
] as const;

/** Keeps this window's live numbers up to date while it is visible. Returns a function that stops it. */
export function followLive(options: FollowLive): () => void {
  let connection: AbortController | null = null;
  const stop = (): void => {
    connection?.abort();
    connection = null;
  };
  const open = (): void => {
    connection = new AbortController();
    liveState.connecting();
    void connect(options, connection.signal);
  };
  const start = (): void => {
    if (!navigator.onLine) liveState.stale();
    if (document.visibilityState === 'hidden' || !navigator.onLine) stop();
    else if (connection === null) open();
  };
  start();
  for (const [target, name] of events) target.addEventListener(name, start);
  window.addEventListener('pagehide', stop);
  return () => {
    for (const [target, name] of events) target.removeEventListener(name, start);
    window.removeEventListener('pagehide', stop);
    stop();
  };
}

async function connect({ put, onRefused }: FollowLive, signal: AbortSignal): Promise<void> {
  let polling: ReturnType<typeof setInterval> | null = null;
  const poll = async (): Promise<void> => {
    const update = await live.poll(signal).catch((error: unknown) => {
      if (!signal.aborted) console.warn(error);
    });
    if (!update || polling === null) return;
    put(update);
    liveState.stale(update.behind_since ?? update.at);
  };
  const stopPolling = (): void => {
    if (polling !== null) clearInterval(polling);
    polling = null;
  };
  await live.follow({
    signal,
    onEvent: (update) => {
      stopPolling();
      put(update);
      if (update.behind_since === null) liveState.live(update.at);
      else liveState.stale(update.behind_since);
    },
    onFailure: (error, isLost) => {
      console.warn(error);
      if (error instanceof ApiError && error.status === 403) return onRefused(error.code);
      if (!isLost) return;
      liveState.stale();
      polling ??= setInterval(poll, pollMs);
    },
  });
  stopPolling();
}

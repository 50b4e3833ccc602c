import { setTimeout as pause } from 'node:timers/promises';
import { runOutsideRequests } from '@daylift/server/request-scope';

export type LiveSource = () => Promise<Record<string, unknown>>;

type OnChange = (names: readonly string[]) => void;

export interface LiveReader {
  /** Refreshes the figures; concurrent callers share one refresh. */
  refresh(): Promise<void>;
  /** Refreshes the figures while anyone watches. Returns a function that stops watching. */
  watch(onChange: OnChange): () => void;
  names(): string[];
  /** Serializes current figures as a `LiveUpdate`. */
  describe(names: Iterable<string>): string;
}

interface ReaderOptions {
  sources: Record<string, LiveSource>;
  everyMs: number;
  now: () => Date;
  onFailure: (service: string, error: unknown) => void;
}

/**
 * Creates the shared reader of this process. It reads each service at most once per `everyMs`, for any number of
 * watchers.
 */
export function createLiveReader(options: ReaderOptions): LiveReader {
  const { everyMs, now } = options;
  const watchers = new Set<OnChange>();
  const figures = new Map<string, string>();
  const respondedAt = new Map<string, Date>();
  let behindSince: string | null = null;
  let round: Promise<void> | null = null;
  let startedMs = Number.NEGATIVE_INFINITY;
  let isRefreshing = false;

  /** Stores changed figures and returns their names, or null if the service doesn't respond. */
  const refreshFrom = async (service: string, source: LiveSource): Promise<string[] | null> => {
    try {
      const entries = Object.entries(await source());
      respondedAt.set(service, now());
      const changed: string[] = [];
      for (const [name, value] of entries) {
        const text = JSON.stringify(value);
        if (figures.get(name) === text) continue;
        figures.set(name, text);
        changed.push(name);
      }
      return changed;
    } catch (error) {
      options.onFailure(service, error);
      return null;
    }
  };

  const runRound = async (): Promise<void> => {
    const startedAt = now();
    const services = Object.entries(options.sources);
    const results = await Promise.all(
      services.map(([service, source]) => refreshFrom(service, source)),
    );
    const unavailableSince = services
      .filter((_one, index) => results[index] === null)
      .map(([service]) => (respondedAt.get(service) ?? startedAt).getTime());
    const before = behindSince;
    behindSince =
      unavailableSince.length === 0 ? null : new Date(Math.min(...unavailableSince)).toJSON();
    const names = results.flatMap((changed) => changed ?? []);
    if (names.length === 0 && behindSince === before) return;
    for (const notify of watchers) notify(names);
  };

  const refresh = (): Promise<void> => {
    // Figures younger than `everyMs` are fresh enough.
    if (round === null || performance.now() - startedMs >= everyMs) {
      startedMs = performance.now();
      const running = (round ?? Promise.resolve()).then(runRound);
      round = running;
    }
    return round;
  };

  const refreshWhileWatched = async (): Promise<void> => {
    if (isRefreshing) return;
    isRefreshing = true;
    while (watchers.size > 0) {
      await refresh();
      const tookMs = performance.now() - startedMs;
      // Slow services get a pause as long as their response time.
      await pause(Math.max(everyMs - tookMs, tookMs), undefined, { ref: false });
    }
    isRefreshing = false;
  };

  return {
    refresh,
    watch(onChange) {
      watchers.add(onChange);
      // Outside of the request: the first watcher refreshes for all, and may leave first.
      void runOutsideRequests(refreshWhileWatched);
      return () => watchers.delete(onChange);
    },
    names: () => [...figures.keys()],
    describe(names) {
      const parts = [...names].map((name) => `${JSON.stringify(name)}:${figures.get(name)}`);
      const head = `"at":${JSON.stringify(now())},"behind_since":${JSON.stringify(behindSince)}`;
      return `{${head},"figures":{${parts.join(',')}}}`;
    },
  };
}

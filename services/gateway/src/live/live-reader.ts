import { setTimeout as pause } from 'node:timers/promises';
import { runOutsideRequests } from '@daylift/server/request-scope';

/** Asks one service for what of it changes, by name of the figure. */
export type LiveSource = () => Promise<Record<string, unknown>>;

/** Called after each round that brought something new, with the names of the figures that changed. */
type OnChange = (names: readonly string[]) => void;

export interface LiveReader {
  /** Brings the figures up to date, once for all who ask at the same time. */
  look(): Promise<void>;
  /** Looks again and again as long as anybody watches; answers how to stop. */
  watch(onChange: OnChange): () => void;
  names(): string[];
  /** These figures as they are now, as the text of a `LiveUpdate`. */
  describe(names: Iterable<string>): string;
}

interface ReaderOptions {
  sources: Record<string, LiveSource>;
  everyMs: number;
  now: () => Date;
  onFailure: (service: string, error: unknown) => void;
}

/** The one reader of this process: however many watch, each service is asked at most once in `everyMs`. */
export function createLiveReader(options: ReaderOptions): LiveReader {
  const { everyMs, now } = options;
  const watchers = new Set<OnChange>();
  const figures = new Map<string, string>();
  const answeredAt = new Map<string, Date>();
  let behindSince: string | null = null;
  let round: Promise<void> | null = null;
  let beganMs = Number.NEGATIVE_INFINITY;
  let isBeating = false;

  /** Keeps what differs from what is known and answers its names; null when the service does not answer. */
  const ask = async (service: string, source: LiveSource): Promise<string[] | null> => {
    try {
      const answer = Object.entries(await source());
      answeredAt.set(service, now());
      const changed: string[] = [];
      for (const [name, value] of answer) {
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
    const began = now();
    const services = Object.entries(options.sources);
    const answers = await Promise.all(services.map(([service, source]) => ask(service, source)));
    const silentSince = services
      .filter((_one, index) => answers[index] === null)
      .map(([service]) => (answeredAt.get(service) ?? began).getTime());
    const before = behindSince;
    behindSince = silentSince.length === 0 ? null : new Date(Math.min(...silentSince)).toJSON();
    const names = answers.flatMap((changed) => changed ?? []);
    if (names.length === 0 && behindSince === before) return;
    for (const tell of watchers) tell(names);
  };

  const look = (): Promise<void> => {
    // What was read less than `everyMs` ago is new enough for everybody.
    if (round === null || performance.now() - beganMs >= everyMs) {
      beganMs = performance.now();
      const running = (round ?? Promise.resolve()).then(runRound);
      round = running;
    }
    return round;
  };

  const beat = async (): Promise<void> => {
    if (isBeating) return;
    isBeating = true;
    while (watchers.size > 0) {
      await look();
      const tookMs = performance.now() - beganMs;
      // Services that find it hard get as long a rest.
      await pause(Math.max(everyMs - tookMs, tookMs), undefined, { ref: false });
    }
    isBeating = false;
  };

  return {
    look,
    watch(onChange) {
      watchers.add(onChange);
      // Whoever comes first looks for all, and may leave before them.
      void runOutsideRequests(beat);
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

import { hourMs } from '@daylift/clock/durations';
import { Counter } from '@daylift/server/metrics';
import type { PoolDeps } from './pool-deps.ts';
import { addToHour } from './senders.repository.ts';

/** Counts outcomes by sender, for operators. */
export interface SenderCounts {
  add(number: string, isSent: boolean): void;
  flush(): Promise<void>;
}

const flushMs = 1_000;

const texts = new Counter({
  name: 'sms_sender_texts_total',
  help: 'Texts handed to the provider, by sender and result',
  labelNames: ['sender', 'result'],
});

/** Writes the counts once a second. A crash loses the last ones. */
export function createSenderCounts({
  db,
  clock,
  log,
}: Pick<PoolDeps, 'db' | 'clock' | 'log'>): SenderCounts {
  let counts = new Map<string, { number: string; sent: number; failed: number }>();
  let timer: NodeJS.Timeout | null = null;
  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const now = clock.now().getTime();
    const rows = [...counts.values()];
    counts = new Map();
    await addToHour(db, rows, new Date(now - (now % hourMs))).catch((error: unknown) =>
      log.warn({ err: error }, 'sender counts not stored'),
    );
  }
  return {
    add(number, isSent) {
      texts.labels(number, isSent ? 'sent' : 'failed').inc();
      const count = counts.get(number) ?? { number, sent: 0, failed: 0 };
      if (isSent) count.sent += 1;
      else count.failed += 1;
      counts.set(number, count);
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
  };
}

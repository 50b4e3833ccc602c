import { registerGauges } from '@daylift/server/metrics';
import type { SmsDeps } from '../deps.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import { findLatestReceiptAt } from '../receipts/receipts.repository.ts';
import { countDue, countUnresolved, findOldestDueAt } from './queue.repository.ts';

/** Counting stops here; larger numbers make no difference and take long. */
const maxCounted = 100_000;

/** Reports queue metrics. Each costs the same however many texts there are. */
export function measureQueue({ db, clock }: Pick<SmsDeps, 'db' | 'clock'>): void {
  const ageOf = (at: Date) => Math.max(0, (clock.now().getTime() - at.getTime()) / 1_000);
  registerGauges([
    {
      name: 'sms_queue_depth',
      help: `Due and unclaimed texts, at most ${maxCounted}`,
      read: () => countDue(db, clock.now(), maxCounted),
    },
    {
      name: 'sms_queue_oldest_seconds',
      help: 'Age of the oldest of them, except codes',
      async read() {
        const at = await findOldestDueAt(db, clock.now());
        return at === null ? 0 : ageOf(at);
      },
    },
    {
      name: 'sms_texts_unresolved',
      help: `Texts of yesterday and today with an unknown outcome, at most ${maxCounted}`,
      read: () => countUnresolved(db, clock.now(), maxCounted),
    },
    {
      name: 'sms_last_receipt_age_seconds',
      help: 'Time since the last receipt; infinite before the first',
      async read() {
        const at = await findLatestReceiptAt(db);
        return at === null ? Number.POSITIVE_INFINITY : ageOf(at);
      },
    },
    {
      name: 'sms_sending_stopped',
      help: 'Whether sending is stopped: frozen by an operator, or the provider rejects everything or is down',
      labelNames: ['why'],
      async read() {
        const why = await stopReason(db);
        return (['frozen', 'paused'] as const).map((one) => ({
          labels: { why: one },
          value: why === one ? 1 : 0,
        }));
      },
    },
  ]);
}

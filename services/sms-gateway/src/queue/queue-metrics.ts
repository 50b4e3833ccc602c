import { inIndexOrder } from '@daylift/database/index-order';
import { registerGauges } from '@daylift/server/metrics';
import { sql } from 'kysely';
import type { SmsDeps } from '../deps.ts';
import { stopReason } from '../freeze/why-stopped.ts';

/** Counting stops here; larger numbers make no difference and take long. */
const mostCounted = 100_000;

/** Reports queue metrics. Each costs the same however many texts there are. */
export function measureQueue({ db, clock }: Pick<SmsDeps, 'db' | 'clock'>): void {
  const first = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(db)).rows[0];
  const ageOf = (at: Date) => Math.max(0, (clock.now().getTime() - at.getTime()) / 1_000);
  registerGauges([
    {
      name: 'sms_queue_depth',
      help: `Due and unclaimed texts, at most ${mostCounted}`,
      read: async () =>
        (
          await first(sql<{ due: number }>`select count(*) as due from (select 1 from texts
          where state = 'queued' and next_attempt_at <= ${clock.now()} limit ${mostCounted}) as waiting`)
        )?.due ?? 0,
    },
    {
      name: 'sms_queue_oldest_seconds',
      help: 'Age of the oldest of them, except codes',
      async read() {
        // Codes are queued first and live for minutes, so the index scan passes over few of them.
        const oldest = sql<{
          at: Date;
        }>`select greatest(next_attempt_at, created_at) as at from texts
          where state = 'queued' and kind <> 'one_time_code' and next_attempt_at <= ${clock.now()}
          order by next_attempt_at limit 1`;
        const [row] = (await inIndexOrder(db, (trx) => oldest.execute(trx))).rows;
        return row === undefined ? 0 : ageOf(row.at);
      },
    },
    {
      name: 'sms_texts_unresolved',
      help: `Texts of yesterday and today with an unknown outcome, at most ${mostCounted}`,
      read: async () =>
        (
          await first(sql<{ unknown: number }>`select count(*) as unknown from (select 1 from texts
          where state = 'unknown' and local_date >= ${clock.now()}::date - 1 limit ${mostCounted}) as unclear`)
        )?.unknown ?? 0,
    },
    {
      name: 'sms_last_receipt_age_seconds',
      help: 'Time since the last receipt; infinite before the first',
      async read() {
        const row = await first(
          sql<{
            at: Date;
          }>`select received_at as at from receipts order by received_at desc limit 1`,
        );
        return row === undefined ? Number.POSITIVE_INFINITY : ageOf(row.at);
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

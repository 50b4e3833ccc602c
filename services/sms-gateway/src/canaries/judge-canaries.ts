import type { Clock } from '@daylift/clock/clock';
import { minuteMs } from '@daylift/clock/durations';
import { Counter } from '@daylift/server/metrics';
import type { Kysely } from 'kysely';
import { findAlertSettings } from '../alerts/alert-settings.repository.ts';
import { lowerBound } from '../alerts/exceeds.ts';
import { canaryFailedCode, endStop, stopBatch } from '../batches/batches.repository.ts';
import { maxHoldMs } from '../batches/first-texts.ts';
import type { SmsDatabase } from '../database.ts';
import { countCanaries, findCanaries, holdLonger, lockCanaries } from './canaries.repository.ts';

/** When the first texts of a batch are judged: most receipts arrive within seconds. */
const judgedAfterMs = 8_000;
/** How long missing receipts delay the rest. */
const receiptsMs = 60_000;
/** How long a slow provider delays the rest. Longer would risk their windows. */
const slowMs = 10 * minuteMs;
/** A hold is extended this long before it would end. */
const extendedBeforeMs = maxHoldMs / 2;
/** A batch waits if more than this share of its first texts is still open. */
const openShare = 0.2;

const verdicts = ['released', 'held'] as const;
const judgedBatches = new Counter({
  name: 'sms_canary_batches_total',
  help: 'Large batches judged by their first texts, by verdict',
  labelNames: ['verdict'],
});
for (const verdict of verdicts) judgedBatches.labels(verdict).inc(0);

interface CanaryDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
}

/**
 * Judges the first texts of large batches. The rest follows if they went well, waits longer if the provider is slow, and
 * is held for an operator if the failure rate certainly exceeds the alert threshold. Returns how many were judged.
 */
export async function judgeCanaries({ db, clock }: CanaryDeps): Promise<number> {
  const now = clock.now();
  const batches = (await findCanaries(db)).filter(({ stopped_at }) => isDue(stopped_at, now));
  if (batches.length === 0) return 0;
  const { threshold_percent } = await findAlertSettings(db);
  let judged = 0;
  for (const { id, ids, stopped_at, resumes_at } of batches) {
    const verdict = await db.transaction().execute(async (trx) => {
      if (!(await lockCanaries(trx, id))) return null;
      const soon = new Date(now.getTime() + maxHoldMs);
      const { open, failed, without_receipt } = await countCanaries(trx, ids, soon);
      if (lowerBound(failed, ids.length) * 100 > threshold_percent) {
        await stopBatch(trx, id, { code: canaryFailedCode, sentAt: now, resumesAt: null, now });
        return 'held';
      }
      const waited = now.getTime() - stopped_at.getTime();
      const unclear = waited < receiptsMs ? open + without_receipt : open;
      if (unclear <= ids.length * openShare || waited >= slowMs) {
        await endStop(trx, id, now);
        return 'released';
      }
      if (resumes_at.getTime() - now.getTime() <= extendedBeforeMs) await holdLonger(trx, id, soon);
      return null;
    });
    if (verdict === null) continue;
    judgedBatches.labels(verdict).inc();
    judged += 1;
  }
  return judged;
}

const isDue = (stoppedAt: Date, now: Date): boolean =>
  now.getTime() - stoppedAt.getTime() >= judgedAfterMs;

/** Returns when the next batch is judged or held longer, or null if none is waiting. */
export async function nextJudgment({ db, clock }: CanaryDeps): Promise<Date | null> {
  const now = clock.now();
  const due = (await findCanaries(db)).map(({ stopped_at, resumes_at }) =>
    isDue(stopped_at, now)
      ? resumes_at.getTime() - extendedBeforeMs
      : stopped_at.getTime() + judgedAfterMs,
  );
  return due.length === 0 ? null : new Date(Math.min(...due));
}

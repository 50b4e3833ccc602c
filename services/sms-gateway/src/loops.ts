import { dayMs, hourMs } from '@daylift/clock/durations';
import { createCleanupLoop } from '@daylift/database/cleanup';
import {
  dropOldPartitions,
  ensureMonthlyPartitions,
  everyMonth,
} from '@daylift/database/partitions';
import type { Running } from '@daylift/events/run-service';
import type { JobQueues } from '@daylift/jobs/queues';
import { createMailLoop } from '@daylift/mail/mail';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import { oldMinutes } from './alerts/failures.repository.ts';
import { sendAlerts } from './alerts/send-alerts.ts';
import { foldCounts } from './batches/fold-counts.ts';
import { compareOptOuts, nextComparison } from './block-list/compare-opt-outs.ts';
import { findCanaries } from './canaries/canaries.repository.ts';
import { judgeCanaries, nextJudgment } from './canaries/judge-canaries.ts';
import type { SmsConfig } from './config.ts';
import type { SmsDatabase } from './database.ts';
import type { SmsDeps } from './deps.ts';
import { stopReason } from './freeze/why-stopped.ts';
import { lookUpNumbers } from './number-lookups/look-up-numbers.ts';
import { nextLookupAt, oldLookups } from './number-lookups/number-lookups.repository.ts';
import { nextProbe, probeSending } from './probes/probe-sending.ts';
import { oldProviderErrors } from './provider-errors/provider-errors.repository.ts';
import { countQueue, nextQueueInstant } from './queue/queue.repository.ts';
import { refillQueue } from './queue/refill-queue.ts';
import { nextCheckAt, oldReceipts } from './receipts/receipts.repository.ts';
import { reconcile } from './receipts/reconcile.ts';
import { eraseTextsOfDeleted } from './recipient-changes/recipient-changes.ts';
import { oldSenderDays, oldSenderHours } from './senders/senders.repository.ts';
import { oldSpend } from './spend/spend.repository.ts';
import { oldTestTexts } from './test-texts/test-texts.repository.ts';
import { countTextCosts } from './text-costs/count-text-costs.ts';
import { oldFailures } from './texts/failed-attempts.repository.ts';
import { hasOverdueTexts } from './texts/results.repository.ts';
import { endAbandoned, endMissed, markInflightUnknown } from './texts/results.ts';

type WorkerDeps = SmsDeps & { queues: JobQueues };

/** Background tasks of the API process. Each is safe on any number of replicas. */
export function gatewayLoops(deps: SmsDeps, { config }: Running<SmsDatabase, SmsConfig>): Loop[] {
  const { db, clock } = deps;
  return [
    { name: 'fold-counts', everyMs: 300, run: () => foldCounts(db, clock.now()) },
    { name: 'send-alerts', everyMs: 5_000, run: () => sendAlerts(deps) },
    {
      name: 'erase-deleted',
      everyMs: 60_000,
      run: () => db.transaction().execute((trx) => eraseTextsOfDeleted(trx, clock.now())),
    },
    {
      name: 'count-text-costs',
      everyMs: hourMs,
      settleEveryMs: hourMs,
      run: () => countTextCosts(deps),
    },
    createCleanupLoop(deps, [
      ...oldSpend,
      oldReceipts,
      oldProviderErrors,
      oldFailures,
      oldMinutes,
      oldSenderHours,
      oldSenderDays,
      oldTestTexts,
      oldLookups,
    ]),
    createMailLoop({ ...deps, config }),
  ];
}

/** Background tasks of the worker. The first one reports open texts to the sandbox on behalf of the jobs. */
export function workerLoops(deps: WorkerDeps, config: Pick<SmsConfig, 'RETENTION_MONTHS'>): Loop[] {
  const { db, clock } = deps;
  /** When the last search for texts left open by a long outage found none. */
  let sweptAt = 0;
  return [
    {
      name: 'refill-queue',
      everyMs: 200,
      restMs: 1_000,
      run: () => refillQueue(deps),
      pending: () => countOpen(deps),
      nextAt: () => nextQueueInstant(db, clock.now()),
    },
    {
      name: 'recover-texts',
      everyMs: 500,
      run: async () => {
        const clocks = { now: clock.now(), wall: new Date() };
        if (!(await hasOverdueTexts(db, clocks))) return 0;
        const lost = await markInflightUnknown(db, clocks);
        const missed = await endMissed(db, clocks.now);
        const abandoned = await endAbandoned(db, clocks.now);
        return lost + missed + abandoned;
      },
    },
    {
      name: 'reconcile-texts',
      everyMs: 5_000,
      run: () => reconcile(deps),
      nextAt: () => nextCheckAt(db, clock.now()),
    },
    {
      name: 'compare-opt-outs',
      everyMs: 60_000,
      run: () => compareOptOuts(deps),
      nextAt: () => nextComparison(db),
    },
    {
      name: 'look-up-numbers',
      everyMs: 2_000,
      run: () => lookUpNumbers(deps),
      nextAt: () => nextLookupAt(db, clock.now()),
    },
    {
      name: 'judge-canaries',
      everyMs: 1_000,
      run: () => judgeCanaries(deps),
      pending: () => countOpenCanaries(deps),
      nextAt: () => nextJudgment(deps),
    },
    {
      name: 'probe-sending',
      everyMs: 1_000,
      run: () => probeSending(deps),
      nextAt: () => nextProbe(deps),
    },
    {
      name: 'text-partitions',
      everyMs: hourMs,
      settleEveryMs: dayMs,
      run: async () => {
        await ensurePartitions(deps);
        const tables = db as unknown as Kysely<never>;
        await dropOldPartitions(
          tables,
          { table: 'texts', keptMonths: config.RETENTION_MONTHS },
          clock.now(),
        );
        const clocks = { now: clock.now(), wall: new Date() };
        if (clocks.now.getTime() - sweptAt < dayMs) return 0;
        const lost = await markInflightUnknown(db, clocks, everyMonth);
        const missed = await endMissed(db, clocks.now, everyMonth);
        if (lost + missed === 0) sweptAt = clocks.now.getTime();
        return lost + missed;
      },
    },
  ];
}

/** Counts batches that wait for their first texts; none while sending is stopped. */
async function countOpenCanaries({ db }: WorkerDeps): Promise<number> {
  const { length } = await findCanaries(db);
  return length === 0 || (await stopReason(db)) !== null ? 0 : length;
}

/** Counts texts that are due or in flight; due ones don't count while sending is stopped. */
async function countOpen({ db, clock }: WorkerDeps): Promise<number> {
  const { due, held } = await countQueue(db, clock.now());
  if (due === 0) return held;
  return (await stopReason(db)) === null ? due + held : held;
}

/** Creates the monthly partitions of `texts` ahead of time. */
export async function ensurePartitions({ db, clock }: SmsDeps): Promise<number> {
  await ensureMonthlyPartitions(db as unknown as Kysely<never>, 'texts', clock.now());
  return 0;
}

import type { Clock } from '@daylift/clock/clock';
import type { JobQueues } from '@daylift/jobs/queues';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import { hasDueTexts, takeTextsToEnqueue } from './queue.repository.ts';
import { groupSize, jobsOf } from './send-queue.ts';

export interface RefillDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  queues: JobQueues;
}

/** Maximum jobs waiting in Redis: enough to keep every worker busy, few enough to add again after a loss. */
const maxWaiting = 40;
const textsPerRun = maxWaiting * groupSize;

/**
 * Keeps the Redis queue filled from the rows, which are the source of truth: after a flush, a crash or a lost job the
 * jobs are added again. A duplicate job is harmless, because the mark decides.
 */
export async function refillQueue({ db, clock, queues }: RefillDeps): Promise<number> {
  if (!(await hasDueTexts(db, clock.now())) || (await stopReason(db)) !== null) return 0;
  const { waiting, active } = await queues.counts();
  if (waiting >= maxWaiting) return 0;
  const texts = await takeTextsToEnqueue(db, {
    now: clock.now(),
    wall: new Date(),
    // While jobs are waiting, an old one may simply not have run yet.
    again: waiting + active === 0,
    limit: textsPerRun,
  });
  if (texts.length > 0) await queues.add(jobsOf(texts));
  return texts.length;
}

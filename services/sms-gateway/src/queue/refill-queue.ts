import type { Clock } from '@daylift/clock/clock';
import type { JobQueues } from '@daylift/jobs/queues';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { whyStopped } from '../freeze/why-stopped.ts';
import { takePointers } from './queue.repository.ts';

export interface RefillDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  queues: JobQueues;
}

/** Pointers that wait in Redis at most: enough to keep every worker busy, few enough to be added anew after a loss. */
const ahead = 2_000;
const perLook = 500;

/**
 * Keeps the queue in Redis filled from the rows, which alone know what there is to do: after a flush, a crash between the
 * two, or a lost job the pointers are simply added again. A pointer too many does nothing; the claim decides.
 */
export async function refillQueue({ db, clock, queues }: RefillDeps): Promise<number> {
  if ((await whyStopped(db)) !== null) return 0;
  const { waiting, active } = await queues.counts();
  if (waiting >= ahead) return 0;
  const pointers = await takePointers(db, {
    now: clock.now(),
    wall: new Date(),
    // While jobs wait, an old pointer may just not have had its turn.
    again: waiting + active === 0,
    limit: perLook,
  });
  if (pointers.length > 0) await queues.add(pointers);
  return pointers.length;
}

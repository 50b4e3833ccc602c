import { smsEvents } from '@daylift/contracts/sms.events';
import { foldAlone } from '@daylift/database/advisory-locks';
import { publish } from '@daylift/events/publish';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { foldChanges, readProgress } from './batches.repository.ts';

const perFold = 2_000;

/**
 * Folds the changes appended by the trigger on `texts` into the counts of batches, messages and days, and publishes
 * each batch's progress. One process at a time, so versions grow in the order of the changes.
 */
export async function foldCounts(db: Kysely<SmsDatabase>, now: Date): Promise<number> {
  return foldAlone(db, { task: 'fold_counts', changes: 'count_changes' }, async (trx) => {
    const { folded, batchIds } = await foldChanges(trx, perFold, now);
    for (const id of batchIds)
      await publish(trx, smsEvents, 'sms.batch.progressed', await readProgress(trx, id), now);
    return folded;
  });
}

import type { Kysely } from 'kysely';
import type { BillingDatabase } from '../database.ts';
import { lockSubscription, updateSubscription } from '../subscriptions/subscriptions.repository.ts';

type Db = Kysely<BillingDatabase>;

/** Clears what STOP ended, because the subscriber now decides about the renewal. Returns the previous value. */
export async function clearStop(db: Db, userId: string): Promise<Date | null> {
  return db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, userId);
    await updateSubscription(trx, userId, { stopped_at: null });
    return row?.stopped_at ?? null;
  });
}

/** Restores what `clearStop` removed, unless another STOP arrived meanwhile. */
export async function restoreStop(db: Db, userId: string, stoppedAt: Date | null): Promise<void> {
  if (stoppedAt === null) return;
  await db
    .updateTable('subscriptions')
    .set({ stopped_at: stoppedAt })
    .where('user_id', '=', userId)
    .where('stopped_at', 'is', null)
    .execute();
}

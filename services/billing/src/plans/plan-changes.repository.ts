import type { Selectable } from 'kysely';
import type { Db, PlanChangesTable, Trx } from '../database.ts';
import { isTaskRunning } from '../provider-tasks/provider-tasks.repository.ts';

export type PlanChange = Selectable<PlanChangesTable>;

/** Longer than the provider calls with their retries. Wall clock. */
const leaseMs = 60_000;
/** Delay of the check for a lost outcome: longer than any change takes. */
export const recheckAfterMs = 90_000;
const leaseEnd = () => new Date(Date.now() + leaseMs);

/** Claims the user's one slot for a change. Returns undefined while another change is open. */
export async function beginChange(
  trx: Trx,
  userId: string,
  wanted: Pick<PlanChange, 'action' | 'plan'>,
  now: Date,
): Promise<PlanChange | undefined> {
  const started = { ...wanted, claimed_until: leaseEnd(), is_open: true, started_at: now };
  return trx
    .insertInto('plan_changes')
    .values({ user_id: userId, ...started })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(started).where('plan_changes.is_open', '=', false),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Returns whether the user's trial is about to be ended, which charges. */
export async function isTrialEnding(db: Db, userId: string): Promise<boolean> {
  const ending = await db
    .selectFrom('subscriptions')
    .select('user_id')
    .where('user_id', '=', userId)
    .where(isTaskRunning('end_trial', 'subscriptions.stripe_subscription_id'))
    .executeTakeFirst();
  return ending !== undefined;
}

/** Claims an open change without a current owner. */
export async function takeOverChange(db: Db, userId: string): Promise<PlanChange | undefined> {
  return db
    .updateTable('plan_changes')
    .set({ claimed_until: leaseEnd() })
    .where('user_id', '=', userId)
    .where('is_open', '=', true)
    .where((where) =>
      where.or([where('claimed_until', 'is', null), where('claimed_until', '<', new Date())]),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Releases a change: completed or, with `is_open`, with an unknown outcome. */
export async function releaseChange(
  db: Db,
  change: PlanChange,
  outcome: { is_open: boolean; attempt: number },
): Promise<void> {
  await db
    .updateTable('plan_changes')
    .set({ ...outcome, claimed_until: null })
    .where('user_id', '=', change.user_id)
    .where('attempt', '=', change.attempt)
    .execute();
}

/** Returns whether the latest plan change is a cancellation that started at or after this instant. */
export async function hasCancelledSince(db: Db, userId: string, since: Date): Promise<boolean> {
  const cancelled = await db
    .selectFrom('plan_changes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('action', '=', 'cancel')
    .where('started_at', '>=', since)
    .executeTakeFirst();
  return cancelled !== undefined;
}

/** Returns whether a cancellation is in progress that the provider has not confirmed yet. */
export async function isCancelling(db: Db, userId: string): Promise<boolean> {
  const open = await db
    .selectFrom('plan_changes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('action', '=', 'cancel')
    .where('is_open', '=', true)
    .executeTakeFirst();
  return open !== undefined;
}

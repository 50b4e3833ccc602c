import type { Kysely, Selectable, Transaction } from 'kysely';
import type { BillingDatabase, PlanChangesTable } from '../database.ts';
import type { PlanWish } from './plan-actions.ts';

export type PlanChange = Selectable<PlanChangesTable>;
type Db = Kysely<BillingDatabase>;

/** Longer than the calls to the provider with their retries take. Wall clock. */
const leaseMs = 60_000;
const leaseEnd = () => new Date(Date.now() + leaseMs);

/** Takes the user's one place for a change; undefined while another is under way or was left open. */
export async function beginChange(
  trx: Transaction<BillingDatabase>,
  userId: string,
  wish: PlanWish,
  now: Date,
): Promise<PlanChange | undefined> {
  const begun = { ...wish, claimed_until: leaseEnd(), is_open: true, started_at: now };
  return trx
    .insertInto('plan_changes')
    .values({ user_id: userId, ...begun })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(begun).where('plan_changes.is_open', '=', false),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Takes over a change that nobody works on any more and whose end is not known. */
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

/** Lets go of a change: over, or (`is_open`) with an end that is not known. */
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

export async function isChanging(db: Db, userId: string): Promise<boolean> {
  const open = await db
    .selectFrom('plan_changes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_open', '=', true)
    .executeTakeFirst();
  return open !== undefined;
}

/** Whether the subscriber's latest plan change is a cancellation that began at or after this instant. */
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

/** Whether the subscriber is cancelling right now, and the provider has not confirmed it yet. */
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

import { maxListed } from '@daylift/contracts/limits';
import { readCounters } from '@daylift/database/counters';
import { type Selectable, sql } from 'kysely';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { Db, SubscriptionChangesTable, SubscriptionsTable, Trx } from '../database.ts';
import { isTaskRunning } from '../provider-tasks/provider-tasks.repository.ts';

export type Subscription = Selectable<SubscriptionsTable>;

/** Taken before a read at the provider; of two reads the one with the higher ticket wins. */
export async function takeReadTicket(db: Db): Promise<number> {
  const { rows } = await sql<{ ticket: number }>`select nextval('read_tickets') as ticket`.execute(
    db,
  );
  return rows[0]?.ticket ?? 0;
}

export async function findSubscription(db: Db, userId: string): Promise<Subscription | undefined> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Locks the customer first, because an insert that references it waits too. */
export async function lockSubscription(
  trx: Trx,
  userId: string,
): Promise<Subscription | undefined> {
  await lockCustomer(trx, userId);
  return trx
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export function findSubscriptions(db: Db, userIds: string[]): Promise<Subscription[]> {
  return db.selectFrom('subscriptions').selectAll().where('user_id', 'in', userIds).execute();
}

export async function findSubscriptionByStripeId(
  db: Db,
  stripeSubscriptionId: string,
): Promise<Subscription | undefined> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .executeTakeFirst();
}

export async function putSubscription(trx: Trx, row: Subscription): Promise<void> {
  await trx
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export async function updateSubscription(
  trx: Trx,
  userId: string,
  change: Partial<Subscription>,
): Promise<void> {
  await trx.updateTable('subscriptions').set(change).where('user_id', '=', userId).execute();
}

/** Returns whether a gift gives free time now or later. */
export async function isFreeByGift(db: Db, userId: string, now: Date): Promise<boolean> {
  const gift = await db
    .selectFrom('gifts')
    .select('id')
    .where('redeemed_by', '=', userId)
    .where('ends_at', '>', now)
    .where('taken_back_ms', 'is', null)
    .executeTakeFirst();
  return gift !== undefined;
}

/**
 * Moves the start of gifts' free time to the next charge, which they are about to postpone. The time of a gift redeemed
 * while a plan was held started immediately.
 */
export async function startGiftsAtCharge(db: Db, userId: string, charge: Date): Promise<void> {
  await db
    .updateTable('gifts')
    .set({ starts_at: sql`least(ends_at, ${charge})` })
    .where('redeemed_by', '=', userId)
    .where('postpones_charge', '=', false)
    .where('taken_back_ms', 'is', null)
    .where('starts_at', '<', charge)
    .execute();
}

/** Stores that free access and its gifts have postponed the charge, unless it has changed. */
export async function moveAccessIntoPlan(db: Db, userId: string, until: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Gifts are locked before their recipient.
    const gifts = await trx
      .selectFrom('gifts')
      .select('id')
      .where('redeemed_by', '=', userId)
      .where('taken_back_ms', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    const { numUpdatedRows } = await trx
      .updateTable('subscriptions')
      .set({ comp_until: null })
      .where('user_id', '=', userId)
      .where('comp_until', '=', until)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || gifts.length === 0) return;
    const ids = gifts.map(({ id }) => id);
    await trx.updateTable('gifts').set({ postpones_charge: true }).where('id', 'in', ids).execute();
  });
}

/** Returns the newest subscriptions, and the total, counted up to `maxListed` + 1. */
export async function listSubscriptions(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ rows: Subscription[]; total: number }> {
  const [rows, count] = await Promise.all([
    db
      .selectFrom('subscriptions')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('user_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    db
      .selectFrom(
        db
          .selectFrom('subscriptions')
          .select('user_id')
          .limit(maxListed + 1)
          .as('found'),
      )
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}

export async function countByStatus(db: Db): Promise<{ active: number; trial: number }> {
  const counts = await readCounters(db, 'subscriptions.');
  const of = (status: string) => counts.get(`subscriptions.${status}`) ?? 0;
  return { active: of('active'), trial: of('trial') };
}

export async function usersWithEndedEntitlement(
  db: Db,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('user_id')
    .where('entitled_until', '<=', now)
    .orderBy('entitled_until')
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function nextEntitlementEnd(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select((select) => select.fn.min('entitled_until').as('at'))
    .where('entitled_until', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Claims live subscriptions whose period ended before `endedBefore`, unchecked since `checkedBefore`, and marks them
 * as checked.
 */
export async function claimOverdue(
  db: Db,
  options: { endedBefore: Date; checkedBefore: Date; now: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('subscriptions')
    .set({ checked_at: options.now })
    .where('user_id', 'in', (query) =>
      query
        .selectFrom('subscriptions')
        .select('user_id')
        .where('is_live', '=', true)
        .where('current_period_end', '<', options.endedBefore)
        .where('checked_at', '<', options.checkedBefore)
        .limit(options.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('stripe_subscription_id')
    .execute();
  return rows.flatMap((row) => row.stripe_subscription_id ?? []);
}

/** Clears what STOP ended or START restores, because the subscriber now decides about the renewal. Returns the STOP. */
export async function clearStop(db: Db, userId: string): Promise<Date | null> {
  return db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, userId);
    await updateSubscription(trx, userId, { stopped_at: null, restored_at: null });
    return row?.stopped_at ?? null;
  });
}

/** Restores what `clearStop` removed, unless another STOP has arrived. */
export async function restoreStop(db: Db, userId: string, stoppedAt: Date | null): Promise<void> {
  if (stoppedAt === null) return;
  await db
    .updateTable('subscriptions')
    .set({ stopped_at: stoppedAt })
    .where('user_id', '=', userId)
    .where('stopped_at', 'is', null)
    .execute();
}

/** Trials that end by themselves and have no reminder yet: the rows of the index `subscriptions_to_remind`. */
const unreminded = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .where('status', '=', sql.lit('trial'))
    .where('cancel_at_period_end', '=', sql.lit(false))
    .where((where) =>
      where.or([
        where('reminded_trial_end', 'is', null),
        where('reminded_trial_end', '!=', where.ref('trial_end')),
      ]),
    );

/** Returns users without a reminder whose trial ends in this period. */
export async function findUnremindedTrials(
  db: Db,
  { after, until }: { after: Date; until: Date },
  limit: number,
): Promise<string[]> {
  const rows = await unreminded(db)
    .select('user_id')
    .where('trial_end', '>', after)
    .where('trial_end', '<=', until)
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Returns the end of the next trial without a reminder. */
export async function nextUnremindedTrialEnd(db: Db, after: Date): Promise<Date | null> {
  const end = await unreminded(db)
    .select((select) => select.fn.min('trial_end').as('at'))
    .where('trial_end', '>', after)
    .executeTakeFirst();
  return end?.at ?? null;
}

/** Requires the lock. A version that waited for it is not older than the one before. */
export async function insertSubscriptionChange(
  trx: Trx,
  change: SubscriptionChangesTable,
): Promise<void> {
  const changed_at = sql<Date>`greatest(${change.changed_at}::timestamptz, (
    select changed_at from subscription_changes
    where user_id = ${change.user_id} order by version desc limit 1))`;
  await trx
    .insertInto('subscription_changes')
    .values({ ...change, changed_at })
    .execute();
}

/** Returns whether the subscriber is changing the plan now. */
export async function isChanging(db: Db, userId: string): Promise<boolean> {
  const open = await db
    .selectFrom('plan_changes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_open', '=', true)
    .executeTakeFirst();
  return open !== undefined;
}

/** Returns the admin whose change to this subscription is pending, or null. */
export async function findActingStaff(db: Db, userId: string): Promise<string | null> {
  const action = await db
    .selectFrom('staff_actions')
    .select('username')
    .where('user_id', '=', userId)
    .where('state', '=', 'pending')
    .where(isTaskRunning('staff_action', 'staff_actions.id'))
    .where('kind', 'not in', ['refund', 'credit'])
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return action?.username ?? null;
}

import type { StaffActionKind } from '@daylift/contracts/billing.http';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, StaffActionsTable, Trx } from '../database.ts';
import { isTaskRunning } from '../provider-tasks/provider-tasks.repository.ts';

export type StaffAction = Selectable<StaffActionsTable>;

/** SQL: the state. A pending action whose task failed or was discarded is failed, until the task is retried. */
export const stateNow = sql<StaffAction['state']>`case
  when staff_actions.state = 'pending' and not ${isTaskRunning('staff_action', 'staff_actions.id')} then 'failed'
  else staff_actions.state end`;

export function findStaffAction(db: Db, id: string): Promise<StaffAction | undefined> {
  return db.selectFrom('staff_actions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertStaffAction(
  trx: Trx,
  action: Insertable<StaffActionsTable>,
): Promise<void> {
  await trx.insertInto('staff_actions').values(action).execute();
}

/** Returns the state and, if an action failed, why. */
export function findOutcome(
  db: Db,
  id: string,
): Promise<Pick<StaffAction, 'state' | 'error'> | undefined> {
  return db
    .selectFrom('staff_actions')
    .select([stateNow.as('state'), 'error'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function endStaffAction(
  trx: Trx,
  id: string,
  end: Pick<StaffAction, 'state' | 'ended_at' | 'error' | 'provider_id'>,
): Promise<void> {
  await trx.updateTable('staff_actions').set(end).where('id', '=', id).execute();
}

export async function findPendingKinds(db: Db, userId: string): Promise<StaffActionKind[]> {
  const rows = await db
    .selectFrom('staff_actions')
    .select('kind')
    .where('user_id', '=', userId)
    .where(stateNow, '=', 'pending')
    .orderBy('created_at')
    .execute();
  return rows.map(({ kind }) => kind);
}

/** Returns the money and days that operators gave a subscriber since an instant. Failed actions don't count. */
export async function sumGivenByOperators(
  db: Db,
  userId: string,
  since: Date,
): Promise<{ cents: number; days: number }> {
  return db
    .selectFrom('staff_actions')
    .select([
      sql<number>`coalesce(sum(amount_cents), 0)::integer`.as('cents'),
      sql<number>`coalesce(sum(days), 0)::integer`.as('days'),
    ])
    .where('user_id', '=', userId)
    .where('role', 'is distinct from', 'owner')
    .where(stateNow, '!=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
}

/** Returns the amount of pending refunds by payment. */
export async function findPendingRefunds(db: Db, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('staff_actions')
    .select('payment_intent_id')
    .select(sql<number>`sum(amount_cents)::integer`.as('cents'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'refund')
    .where(stateNow, '=', 'pending')
    .groupBy('payment_intent_id')
    .execute();
  return new Map(rows.map((row) => [row.payment_intent_id ?? '', row.cents]));
}

import type { StaffActionKind } from '@daylift/contracts/billing.http';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, StaffActionsTable, Trx } from '../database.ts';

export type StaffAction = Selectable<StaffActionsTable>;

export function findStaffAction(db: Db, id: string): Promise<StaffAction | undefined> {
  return db.selectFrom('staff_actions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertStaffAction(
  trx: Trx,
  action: Insertable<StaffActionsTable>,
): Promise<void> {
  await trx.insertInto('staff_actions').values(action).execute();
}

/** Stores the outcome of a pending action. Returns false if it already has one. */
export async function endStaffAction(
  trx: Trx,
  id: string,
  end: Pick<StaffAction, 'state' | 'ended_at' | 'error' | 'provider_id'>,
): Promise<boolean> {
  const ended = await trx
    .updateTable('staff_actions')
    .set(end)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export async function findPendingKinds(db: Db, userId: string): Promise<StaffActionKind[]> {
  const rows = await db
    .selectFrom('staff_actions')
    .select('kind')
    .where('user_id', '=', userId)
    .where('state', '=', 'pending')
    .orderBy('created_at')
    .execute();
  return rows.map(({ kind }) => kind);
}

/** Returns the money and days given to a subscriber since an instant. Failed actions don't count. */
export async function sumGiven(
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
    .where('state', '!=', 'failed')
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
    .where('state', '=', 'pending')
    .groupBy('payment_intent_id')
    .execute();
  return new Map(rows.map((row) => [row.payment_intent_id ?? '', row.cents]));
}

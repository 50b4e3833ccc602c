import { type Selectable, sql } from 'kysely';
import type { Db, SubscriptionChangesTable } from '../database.ts';
import { stateNow } from '../staff-actions/staff-actions.repository.ts';

export type SubscriptionChange = Selectable<SubscriptionChangesTable>;

export interface TimelineRange {
  from?: Date;
  until: Date;
  limit: number;
}

export function findSubscriptionChanges(
  db: Db,
  userId: string,
  { from, until, limit }: TimelineRange,
): Promise<SubscriptionChange[]> {
  return db
    .selectFrom('subscription_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('changed_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('changed_at', '>=', from!))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
}

export function findVersions(
  db: Db,
  userId: string,
  versions: number[],
): Promise<SubscriptionChange[]> {
  return db
    .selectFrom('subscription_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('version', 'in', [0, ...versions])
    .execute();
}

/** Returns the first stored version: 1 unless the subscription is older than its history. */
export async function findFirstVersion(db: Db, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('subscription_changes')
    .select((select) => select.fn.min('version').as('version'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.version ?? null;
}

export function findInvoices(db: Db, userId: string, { from, until, limit }: TimelineRange) {
  return db
    .selectFrom('invoices')
    .select(['id', 'currency', 'status', 'attempt_count as attempts', 'created_at', 'paid_at'])
    .select(
      sql<number>`case when total_cents < 0 then total_cents when status = 'paid' then amount_paid_cents + paid_elsewhere_cents
        else amount_due_cents end`.as('amount_cents'),
    )
    .where('user_id', '=', userId)
    .where('status', '!=', 'draft')
    .where((where) => where(where.fn.coalesce('total_cents', 'amount_due_cents'), '!=', 0))
    .where('created_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export function findRefunds(db: Db, userId: string, { from, until, limit }: TimelineRange) {
  return db
    .selectFrom('invoices')
    .innerJoin('refunds', 'refunds.payment_intent_id', 'invoices.payment_intent_id')
    .leftJoin('staff_actions', 'staff_actions.provider_id', 'refunds.id')
    .select(['refunds.id', 'refunds.currency', 'refunds.status', 'refunds.amount_cents'])
    .select(['refunds.created_at', 'staff_actions.username as admin', 'staff_actions.reason'])
    .where('invoices.user_id', '=', userId)
    .where('refunds.created_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('refunds.created_at', '>=', from!))
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns credits earned, refused or reversed, by the time of the friend's first payment. */
export function findCredits(db: Db, userId: string, { from, until, limit }: TimelineRange) {
  return db
    .selectFrom('referrals')
    .select(['friend_user_id as id', 'credit_cents as amount_cents', 'outcome', 'paid_at'])
    .where('referrer_user_id', '=', userId)
    .where('paid_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('paid_at', '>=', from!))
    .orderBy('paid_at', 'desc')
    .orderBy('friend_user_id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns staff actions, except refunds that are listed as refunds. */
export function findStaffActions(db: Db, userId: string, { from, until, limit }: TimelineRange) {
  return db
    .selectFrom('staff_actions')
    .select([
      'id',
      'kind',
      stateNow.as('state'),
      'amount_cents',
      'days',
      'until',
      'reason',
      'error',
    ])
    .select(['username as admin', 'created_at'])
    .where('user_id', '=', userId)
    .where('provider_id', 'is', null)
    .where('created_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

import type { Db } from '../database.ts';
import { stateNow } from '../staff-actions/staff-actions.repository.ts';

export function exportMails(db: Db, userId: string) {
  return db
    .selectFrom('mails')
    .select(['subject', 'text', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

export function exportCheckouts(db: Db, userId: string) {
  return db
    .selectFrom('checkouts')
    .leftJoin('promotions', 'promotions.id', 'checkouts.promotion_id')
    .select(['checkouts.plan', 'trial_days', 'status', 'checkouts.created_at'])
    .select('promotions.code as promotion_code')
    .where('user_id', '=', userId)
    .orderBy('checkouts.created_at')
    .execute();
}

/** Exports staff actions with their reasons. */
export function exportStaffActions(db: Db, userId: string) {
  return db
    .selectFrom('staff_actions')
    .select(['kind', stateNow.as('state'), 'amount_cents', 'days', 'until', 'reason', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** Exports the last requested plan change; the emails list all that were made. */
export async function exportPlanChange(db: Db, userId: string) {
  const row = await db
    .selectFrom('plan_changes')
    .select(['action', 'plan', 'started_at'])
    .where('user_id', '=', userId)
    .where('action', '!=', 'move_price')
    .executeTakeFirst();
  return row ?? null;
}

export function exportSubscriptionChanges(db: Db, userId: string) {
  return db
    .selectFrom('subscription_changes')
    .select(['changed_at', 'actor', 'status', 'plan', 'trial_end', 'current_period_end'])
    .select(['cancel_at_period_end', 'entitled', 'entitled_until', 'entitled_since'])
    .where('user_id', '=', userId)
    .orderBy('version')
    .execute();
}

/** Exports the marks of a used trial; addresses and numbers are stored as keyed hashes only. */
export async function exportTrialMarks(db: Db, userId: string) {
  const [uses, contacts] = await Promise.all([
    db
      .selectFrom('trial_uses')
      .select(['kind', 'used_at'])
      .where('user_id', '=', userId)
      .where('kind', 'in', ['account', 'card'])
      .orderBy('kind')
      .execute(),
    db
      .selectFrom('proven_contacts')
      .select(['kind', 'proven_at'])
      .where('user_id', '=', userId)
      .orderBy('kind')
      .execute(),
  ]);
  return [...uses, ...contacts];
}

import type { Kysely } from 'kysely';
import type { BillingDatabase } from '../database.ts';

type Db = Kysely<BillingDatabase>;

/** What we wrote about bills and plans. */
export function exportMails(db: Db, userId: string) {
  return db
    .selectFrom('mails')
    .select(['subject', 'text', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** Each time the page to pay on was opened. */
export function exportCheckouts(db: Db, userId: string) {
  return db
    .selectFrom('checkouts')
    .select(['plan', 'trial_days', 'status', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** The last change of the plan that was asked for; the mails tell of all that were made. */
export async function exportPlanChange(db: Db, userId: string) {
  const row = await db
    .selectFrom('plan_changes')
    .select(['action', 'plan', 'started_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Each state that their subscription was in. */
export function exportSubscriptionChanges(db: Db, userId: string) {
  return db
    .selectFrom('subscription_changes')
    .select(['changed_at', 'actor', 'status', 'plan', 'trial_end', 'current_period_end'])
    .select(['cancel_at_period_end', 'entitled', 'entitled_until', 'entitled_since'])
    .where('user_id', '=', userId)
    .orderBy('version')
    .execute();
}

/** What shows that a trial was used; only keyed hashes of addresses and numbers are kept. */
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

import type { Kysely, Transaction } from 'kysely';
import type { BillingDatabase, TrialUsesTable } from '../database.ts';
import { isTrialOfAnother } from './proven-contacts.repository.ts';

type Mark = Pick<TrialUsesTable, 'kind' | 'mark'>;

/** Whether this account has had a trial, whatever its address and number were. */
export async function hasUsedTrial(db: Kysely<BillingDatabase>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('trial_uses')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Only what an account has proven counts: typing in a stranger's number takes no trial from them. */
export async function mayHaveTrial(db: Kysely<BillingDatabase>, userId: string): Promise<boolean> {
  return !(await hasUsedTrial(db, userId)) && !(await isTrialOfAnother(db, userId));
}

/** Uses up the trial of an account or card; false if it already belongs to another user's trial. */
export async function spendTrial(
  trx: Transaction<BillingDatabase>,
  userId: string,
  mark: Mark,
  now: Date,
): Promise<boolean> {
  await trx
    .insertInto('trial_uses')
    .values({ ...mark, user_id: userId, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const other = await trx
    .selectFrom('trial_uses')
    .select('mark')
    .where((where) => where.and({ ...mark }))
    .where('user_id', '!=', userId)
    .executeTakeFirst();
  return other === undefined;
}

/** Whether what a checkout sold began free, and stays so: a card that has had somebody else's trial ends it at once. */
export async function beganWithTrial(
  db: Kysely<BillingDatabase>,
  checkout: { user_id: string; trial_days: number },
): Promise<boolean> {
  if (checkout.trial_days === 0) return false;
  const spentByAnother = await db
    .selectFrom('subscriptions')
    .innerJoin('trial_uses', 'trial_uses.mark', 'subscriptions.trial_card')
    .select('trial_uses.user_id')
    .where('trial_uses.kind', '=', 'card')
    .where('subscriptions.user_id', '=', checkout.user_id)
    .whereRef('trial_uses.user_id', '!=', 'subscriptions.user_id')
    .executeTakeFirst();
  return spentByAnother === undefined;
}

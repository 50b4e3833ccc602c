import type { Kysely, Transaction } from 'kysely';
import type { BillingDatabase, TrialUsesTable } from '../database.ts';

type Mark = Pick<TrialUsesTable, 'kind' | 'mark'>;

/** Whether somebody with this address or number, under whatever account, has had a trial. */
export async function hasUsedTrial(
  db: Kysely<BillingDatabase>,
  hashes: { email_hash: string; phone_hash: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('trial_uses')
    .select('user_id')
    .where((where) =>
      where.or([
        where.and({ kind: 'email', mark: hashes.email_hash }),
        where.and({ kind: 'phone', mark: hashes.phone_hash }),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up the trial of each mark; false if one of them already belongs to another user's trial. */
export async function spendTrial(
  trx: Transaction<BillingDatabase>,
  userId: string,
  marks: Mark[],
  now: Date,
): Promise<boolean> {
  await trx
    .insertInto('trial_uses')
    .values(marks.map((mark) => ({ ...mark, user_id: userId, used_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const others = await trx
    .selectFrom('trial_uses')
    .select('mark')
    .where((where) => where.or(marks.map((mark) => where.and({ ...mark }))))
    .where('user_id', '!=', userId)
    .execute();
  return others.length === 0;
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

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

import { sql } from 'kysely';
import type { Db, TrialUsesTable, Trx } from '../database.ts';
import type { Customer } from './customers.repository.ts';
import { exists, isTrialOfAnother } from './proven-contacts.repository.ts';

type Mark = Pick<TrialUsesTable, 'kind' | 'mark'>;

/** Returns whether this account has had a trial, with any addresses. */
export async function hasUsedTrial(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('trial_uses')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether neither the account nor its addresses have had a trial. */
export async function mayHaveTrial(db: Db, userId: string): Promise<boolean> {
  if (await hasUsedTrial(db, userId)) return false;
  return !(await isTrialOfAnother(db, userId)) && !(await hasTriedAddress(db, userId));
}

/**
 * Returns whether another account started a trial with this account's email or number. Unproven ones count too, or one
 * number could have any number of trials; an address that this account has proven doesn't.
 */
function hasTriedAddress(db: Db, userId: string): Promise<boolean> {
  return exists(
    db,
    sql`select from trial_uses used join customers on customers.user_id = ${userId}
      where used.user_id <> ${userId}
        and (used.kind, used.mark) in (('email', customers.email_hash), ('phone', customers.phone_hash))
        and not exists (select from proven_contacts mine
          where mine.user_id = ${userId} and (mine.kind, mine.mark) = (used.kind, used.mark))`,
  );
}

/** Uses up the trial of an account and its addresses. Returns false if another account's trial has used one. */
export async function spendTrials(
  trx: Trx,
  customer: Pick<Customer, 'user_id' | 'email_hash' | 'phone_hash'>,
  now: Date,
): Promise<boolean> {
  const { user_id, email_hash, phone_hash } = customer;
  await spendTrial(trx, user_id, { kind: 'account', mark: user_id }, now);
  if (email_hash) await spendTrial(trx, user_id, { kind: 'email', mark: email_hash }, now);
  if (phone_hash) await spendTrial(trx, user_id, { kind: 'phone', mark: phone_hash }, now);
  // Checked after the inserts, which wait for a concurrent trial of the same address.
  return !(await hasTriedAddress(trx, user_id));
}

/** Uses up a trial. Returns false if the mark belongs to another user's trial. */
export async function spendTrial(
  trx: Trx,
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

/**
 * Returns whether a checkout's trial started and stayed free: a card or address that had another user's trial ends it
 * immediately.
 */
export async function startedWithTrial(
  db: Db,
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
  return spentByAnother === undefined && !(await hasTriedAddress(db, checkout.user_id));
}

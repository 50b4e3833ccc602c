import { type RawBuilder, sql } from 'kysely';
import type { Db, ProvenContactsTable, Trx } from '../database.ts';

type Mark = Pick<ProvenContactsTable, 'kind' | 'mark'>;

/** Returns whether any of these is new for the user. */
export async function addProvenContacts(
  trx: Trx,
  userId: string,
  marks: Mark[],
  now: Date,
): Promise<boolean> {
  if (marks.length === 0) return false;
  const added = await trx
    .insertInto('proven_contacts')
    .values(marks.map((mark) => ({ ...mark, user_id: userId, proven_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('mark')
    .execute();
  return added.length > 0;
}

/** SQL: what a user has proven, and what the account claims now. */
export const marksOf = (userId: string): RawBuilder<unknown> => sql`(
  select kind, mark from proven_contacts where user_id = ${userId}
  union select 'email', email_hash from customers where user_id = ${userId} and email_hash <> ''
  union select 'phone', phone_hash from customers where user_id = ${userId} and phone_hash <> '')`;

/** Returns whether another account with a trial has proven one of the user's addresses. */
export async function isTrialOfAnother(db: Db, userId: string): Promise<boolean> {
  return exists(
    db,
    sql`select from proven_contacts other join trial_uses using (user_id)
      where other.user_id <> ${userId} and (other.kind, other.mark) in ${marksOf(userId)}`,
  );
}

/** Returns whether two accounts share, or shared, an address. */
export async function shareContact(db: Db, userId: string, otherId: string): Promise<boolean> {
  return exists(
    db,
    sql`select from ${marksOf(userId)} as mine join ${marksOf(otherId)} as theirs using (kind, mark)`,
  );
}

/** Returns whether both had proven the same address by an instant. */
export async function shareProvenContact(
  db: Db,
  userId: string,
  otherId: string,
  until: Date,
): Promise<boolean> {
  return exists(
    db,
    sql`select from proven_contacts mine join proven_contacts theirs using (kind, mark)
      where mine.user_id = ${userId} and theirs.user_id = ${otherId}
        and greatest(mine.proven_at, theirs.proven_at) <= ${until}`,
  );
}

/** Returns a referrer's friends who have proven an address that the referrer has proven too. */
export async function friendsWithContact(db: Db, referrerId: string): Promise<string[]> {
  const { rows } = await sql<{ friend_user_id: string }>`
    select distinct friend_user_id from referrals
    join proven_contacts theirs on theirs.user_id = friend_user_id
    join proven_contacts mine using (kind, mark)
    where referrer_user_id = ${referrerId} and mine.user_id = ${referrerId}`.execute(db);
  return rows.map((row) => row.friend_user_id);
}

/** Returns whether a query has a row. */
export async function exists(db: Db, query: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (${query}) as found`.execute(db);
  return rows[0]?.found ?? false;
}

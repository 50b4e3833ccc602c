import type { Renewal } from '@daylift/contracts/billing.http';
import type { TextSettled } from '@daylift/contracts/sms.events';
import { readCounters } from '@daylift/database/counters';
import { sql } from 'kysely';
import type { Db, Trx } from '../database.ts';
import type { NewUser, User, UserChange } from './users.table.ts';

export function insertUser(trx: Trx, user: NewUser): Promise<User> {
  return trx
    .insertInto('users')
    .values({ ...user, history_since: user.registered_at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findUser(db: Db, id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns names for these ids; deleted users are missing. */
export function findPeople(
  db: Db,
  ids: string[],
): Promise<{ id: string; name: string; email: string; phone: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'name'])
    .select(sql<string>`coalesce(email, '')`.as('email'))
    .select(sql<string>`coalesce(phone, '')`.as('phone'))
    .where('id', 'in', ids)
    .execute();
}

export function findUserByRequestKey(db: Db, key: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('request_key', '=', key).executeTakeFirst();
}

interface Identity {
  email: string;
  phone: string;
}

/** Returns whether an account has proven the email or phone. Unproven claims block no one. */
export async function isProvenByAnyone(
  db: Db,
  { email = '', phone = '' }: Partial<Identity>,
): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where((where) =>
      where.or([
        where.and([where('email', '=', email), where('email_proven_at', 'is not', null)]),
        where.and([where('phone', '=', phone), where('phone_proven_at', 'is not', null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export function findByProvenEmail(
  db: Db,
  email: string,
): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('email', '=', email.toLowerCase())
    .where('email_proven_at', 'is not', null)
    .executeTakeFirst();
}

/** Returns whether another account has this email or a pending change to it. */
export async function isClaimedByOthers(trx: Trx, email: string, userId: string): Promise<boolean> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where((where) => where.or([where('email', '=', email), where('pending_email', '=', email)]))
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

const maxOpenSignups = 3;

/** Returns unpaid signups with exactly this email and phone, oldest first. */
export function findOpenSignups(db: Db, { email, phone }: Identity): Promise<User[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .where('phone', '=', phone)
    .where('subscription_version', '=', 0)
    .where('created_by', 'is', null)
    .orderBy('registered_at')
    .orderBy('id')
    .limit(maxOpenSignups)
    .execute();
}

/** Returns whether staff would create a duplicate: a subscriber or a staff-added account has the email or phone. */
export async function isKnownToStaff(db: Db, { email, phone }: Identity): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where((where) => where.or([where('email', '=', email), where('phone', '=', phone)]))
    .where((where) =>
      where.or([
        where('subscription_version', '>', 0),
        where('created_by', 'is not', null),
        where('email_proven_at', 'is not', null),
        where('phone_proven_at', 'is not', null),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export function lockUser(trx: Trx, id: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateUser(trx: Trx, id: string, change: UserChange): Promise<User> {
  return trx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Stores when subscribers last got a text. Test texts don't count. */
export async function storeLastMessages(trx: Trx, texts: TextSettled[]): Promise<void> {
  const sent = texts.filter(({ outcome, is_test }) => outcome === 'accepted' && !is_test);
  if (sent.length === 0) return;
  const ids = sent.map(({ user_id }) => user_id);
  await sql`
    with sent as (
      select id, max(at) as at
      from unnest(${ids}::uuid[], ${sent.map(({ settled_at }) => settled_at)}::timestamptz[]) as w (id, at) group by id
    ), locked as (
      select user_id from last_texts where user_id = any(${ids}::uuid[]) order by user_id for update
    )
    update last_texts set sent_at = greatest(sent_at, sent.at)
    from sent join locked on locked.user_id = sent.id
    where last_texts.user_id = any(${ids}::uuid[]) and last_texts.user_id = sent.id`.execute(trx);
}

/** Returns when this user last got a text. */
export async function findLastMessage(db: Db, id: string): Promise<Date | null> {
  const row = await db
    .selectFrom('last_texts')
    .select('sent_at')
    .where('user_id', '=', id)
    .executeTakeFirst();
  return row?.sent_at ?? null;
}

export async function countUsers(db: Db): Promise<{ total: number; active: number }> {
  const counts = await readCounters(db, 'users.');
  return { total: counts.get('users.total') ?? 0, active: counts.get('users.active') ?? 0 };
}

/** Returns whether another account has subscribed with this number. */
export async function hasOtherSubscriber(db: Db, phone: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('phone', '=', phone)
    .where('id', '<>', userId)
    .where('subscription_version', '>', 0)
    .executeTakeFirst();
  return row !== undefined;
}

export type VersionedUser = Pick<User, 'id' | 'subscription_version'>;

/** Returns users whose period belongs to an earlier version of their subscription. */
export const findUsersWithoutPeriod = (db: Db, limit: number): Promise<VersionedUser[]> =>
  db
    .selectFrom('users')
    .select(['id', 'subscription_version'])
    .whereRef('period_version', '<>', 'subscription_version')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Stores a fetched period, unless a newer version of the subscription has arrived. */
export async function storePeriod(
  db: Db,
  { id, subscription_version }: VersionedUser,
  renewal: Renewal | undefined,
): Promise<void> {
  const period_end = renewal?.period_end ? new Date(renewal.period_end) : null;
  await db
    .updateTable('users')
    .set({
      period_end,
      renews: period_end !== null && renewal?.renews === true,
      period_version: subscription_version,
    })
    .where('id', '=', id)
    .where('subscription_version', '=', subscription_version)
    .execute();
}

/** Removes the next mark and returns its user, or undefined if no mark is left. */
export async function takeUserToRepublish(trx: Trx): Promise<string | undefined> {
  const marked = await trx
    .deleteFrom('users_to_republish')
    .where('user_id', '=', (query) =>
      query
        .selectFrom('users_to_republish')
        .select('user_id')
        .orderBy('user_id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('user_id')
    .executeTakeFirst();
  return marked?.user_id;
}

export function lockOtherClaims(
  trx: Trx,
  field: 'email' | 'phone',
  value: string,
  userId: string,
): Promise<User[]> {
  const pending = `pending_${field}` as const;
  return trx
    .selectFrom('users')
    .selectAll()
    .where((where) => where.or([where(field, '=', value), where(pending, '=', value)]))
    .where('id', '<>', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

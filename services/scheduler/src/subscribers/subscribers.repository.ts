import { type Kysely, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { NextText } from './next-text.ts';
import type { Subscriber } from './subscribers.table.ts';

/** Returns a user's row, locked, and creates it if needed. */
export async function lockOrCreateSubscriber(
  trx: Transaction<SchedulerDatabase>,
  userId: string,
): Promise<Subscriber> {
  await trx
    .insertInto('subscribers')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx
    .selectFrom('subscribers')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateSubscriber(
  trx: Transaction<SchedulerDatabase>,
  userId: string,
  change: Partial<Omit<Subscriber, 'user_id'>>,
): Promise<Subscriber> {
  return trx
    .updateTable('subscribers')
    .set(change)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function rememberZone(
  trx: Transaction<SchedulerDatabase>,
  timezone: string,
): Promise<void> {
  await trx
    .insertInto('zones')
    .values({ timezone })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listZones(db: Kysely<SchedulerDatabase>): Promise<string[]> {
  const rows = await db.selectFrom('zones').select('timezone').orderBy('timezone').execute();
  return rows.map((row) => row.timezone);
}

/** Counts subscribers with a plan whose first text isn't after the date. */
export async function countInZone(
  db: Kysely<SchedulerDatabase>,
  { timezone, localDate }: { timezone: string; localDate: string },
): Promise<number> {
  const { subscribers } = await db
    .selectFrom('subscribers')
    .select((select) => select.fn.countAll<number>().as('subscribers'))
    .where('timezone', '=', timezone)
    .where('next_due_at', 'is not', null)
    .where('first_local_date', '<=', localDate)
    .executeTakeFirstOrThrow();
  return subscribers;
}

export function findSubscriber(
  db: Kysely<SchedulerDatabase>,
  userId: string,
): Promise<Subscriber | undefined> {
  return db.selectFrom('subscribers').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

export function findSubscribers(
  db: Kysely<SchedulerDatabase>,
  userIds: string[],
): Promise<Subscriber[]> {
  return db
    .selectFrom('subscribers')
    .selectAll()
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .execute();
}

/** Claims subscribers whose next text is due by `horizon`, soonest first. Concurrent planners skip claimed rows. */
export function claimDueSubscribers(
  trx: Transaction<SchedulerDatabase>,
  horizon: Date,
  limit: number,
): Promise<Subscriber[]> {
  return trx
    .selectFrom('subscribers')
    .selectAll()
    .where('next_due_at', '<=', horizon)
    .orderBy('next_due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function moveNextTexts(
  trx: Transaction<SchedulerDatabase>,
  moves: ({ user_id: string } & NextText)[],
): Promise<void> {
  await sql`update subscribers set next_local_date = moved.local_date, next_due_at = moved.due_at
    from unnest(${moves.map((one) => one.user_id)}::uuid[], ${moves.map((one) => one.local_date)}::date[],
      ${moves.map((one) => one.due_at)}::timestamptz[]) as moved (user_id, local_date, due_at)
    where subscribers.user_id = moved.user_id`.execute(trx);
}

export async function countDueSubscribers(
  db: Kysely<SchedulerDatabase>,
  until: Date,
): Promise<number> {
  const row = await db
    .selectFrom('subscribers')
    .select((select) => select.fn.countAll<number>().as('due'))
    .where('next_due_at', '<=', until)
    .executeTakeFirstOrThrow();
  return row.due;
}

export async function earliestNextText(db: Kysely<SchedulerDatabase>): Promise<Date | null> {
  const row = await db
    .selectFrom('subscribers')
    .select((select) => select.fn.min('next_due_at').as('at'))
    .where('next_due_at', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Returns the next planned subscribers by id. With `lock` they can't change until the transaction ends, so a
 * concurrent change takes the manual send into account.
 */
export function pageOfSubscribers(
  db: Kysely<SchedulerDatabase>,
  afterUserId: string | null,
  limit: number,
  lock: boolean,
): Promise<Subscriber[]> {
  return db
    .selectFrom('subscribers')
    .selectAll()
    .where('entitled', '=', true)
    .where('is_active', '=', true)
    .where('timezone', 'is not', null)
    .$if(afterUserId !== null, (query) => query.where('user_id', '>', afterUserId ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .$if(lock, (query) => query.forUpdate())
    .execute();
}

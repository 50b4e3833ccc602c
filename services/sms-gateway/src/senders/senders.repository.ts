import { dayMs } from '@daylift/clock/durations';
import type { SenderChange } from '@daylift/contracts/senders.http';
import type { Cleanup } from '@daylift/database/cleanup';
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { PoolDeps } from './pool-deps.ts';
import { type DayCap, slowedForMs } from './sender-limits.ts';
import type { SenderRow, SendersTable } from './senders.table.ts';

/** What `recipients.sender` has instead of a number: for those from before the pool. New ones have ''. */
export const firstSender = 'first';

const maxCounted = 10_000;

/** Returns all senders, oldest first. Adds the configured one to an empty pool. */
export async function findSenders({
  db,
  clock,
  seed,
}: Pick<PoolDeps, 'db' | 'clock' | 'seed'>): Promise<SenderRow[]> {
  const find = () =>
    db
      .selectFrom('senders')
      .selectAll()
      .orderBy('created_at')
      .orderBy(sql`number <> ${seed.number}`)
      .execute();
  const senders = await find();
  if (senders.length > 0) return senders;
  await db
    .insertInto('senders')
    .values({ ...seed, created_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return find();
}

export function findActive(db: Kysely<SmsDatabase>): Promise<SenderRow[]> {
  return db.selectFrom('senders').selectAll().where('state', '=', 'active').execute();
}

/** In order, so two operators wait for each other instead of both draining the other's last active sender. */
export function lockSenders(trx: Transaction<SmsDatabase>): Promise<SenderRow[]> {
  return trx.selectFrom('senders').selectAll().orderBy('number').forUpdate().execute();
}

/** Returns false if the pool has the number. */
export async function insertSender(
  trx: Transaction<SmsDatabase>,
  sender: Insertable<SendersTable>,
): Promise<boolean> {
  const row = await trx
    .insertInto('senders')
    .values(sender)
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning('number')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateSender(
  trx: Transaction<SmsDatabase>,
  number: string,
  change: SenderChange,
): Promise<void> {
  await trx.updateTable('senders').set(change).where('number', '=', number).execute();
}

/** Returns what a recipient has as their sender: a number, `firstSender`, or '' before the first text. */
export async function findRecipientSender(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('recipients')
    .select('sender')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.sender;
}

export function findSendersOf(
  db: Kysely<SmsDatabase>,
  userIds: string[],
): Promise<{ user_id: string; phone: string | null; sender: string }[]> {
  return db
    .selectFrom('recipients')
    .select(['user_id', 'phone', 'sender'])
    .where(sql<boolean>`user_id = any(${userIds})`)
    .execute();
}

/** Returns the texts of a day by counter. */
export async function findDay(db: Kysely<SmsDatabase>, day: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('sender_days')
    .select(['counter', 'texts'])
    .where('day', '=', day)
    .execute();
  return new Map(rows.map(({ counter, texts }) => [counter, texts]));
}

/** Counts subscribers with the same hour, by sender. */
export async function countInHour(
  db: Kysely<SmsDatabase>,
  hour: { delivery_hour: number | null; timezone: string | null },
  first: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('recipients')
    .select(['sender', sql<number>`count(*)::int`.as('subscribers')])
    .where('delivery_hour', '=', hour.delivery_hour)
    .where('timezone', '=', hour.timezone)
    .groupBy('sender')
    .execute();
  return byNumber(rows, first);
}

/** Counts the subscribers of each sender, up to a limit: larger numbers would take long and say no more. */
export async function countSubscribers(
  db: Kysely<SmsDatabase>,
  pool: SenderRow[],
): Promise<Map<string, number>> {
  const senders = [firstSender, ...pool.map(({ number }) => number)];
  const { rows } = await sql<{ sender: string; subscribers: number }>`
    select sender, (select count(*)::int from (select 1 from recipients
      where recipients.sender = senders.sender limit ${maxCounted}) as counted) as subscribers
    from unnest(${senders}::text[]) as senders (sender)`.execute(db);
  const counts = byNumber(rows, pool[0]?.number ?? '');
  for (const [number, count] of counts) counts.set(number, Math.min(count, maxCounted));
  return counts;
}

function byNumber(rows: { sender: string; subscribers: number }[], first: string) {
  const counts = new Map<string, number>();
  for (const { sender, subscribers } of rows) {
    const number = sender === firstSender ? first : sender;
    counts.set(number, (counts.get(number) ?? 0) + subscribers);
  }
  return counts;
}

/** Stores a recipient's sender unless it is no longer `from`. Returns the current sender. */
export async function assignSender(
  db: Kysely<SmsDatabase>,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<string> {
  const { rows } = await sql<{ sender: string }>`
    update recipients set sender = case when sender = ${from} then ${to} else sender end
    where user_id = ${userId} returning sender`.execute(db);
  return rows[0]?.sender ?? to;
}

/** Reserves up to `wanted` texts of a day within all caps. Returns how many it got. */
export function reserveDay(
  db: Kysely<SmsDatabase>,
  { caps, day, wanted }: { caps: DayCap[]; day: string; wanted: number },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    let free = wanted;
    for (const { counter, count } of caps) {
      await trx
        .insertInto('sender_days')
        .values({ counter, day, texts: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { texts } = await trx
        .selectFrom('sender_days')
        .select('texts')
        .where('counter', '=', counter)
        .where('day', '=', day)
        .forUpdate()
        .executeTakeFirstOrThrow();
      free = Math.max(0, Math.min(free, count - texts));
    }
    await addToDay(trx, { caps, day, texts: free });
    return free;
  });
}

/** Adds texts to a day, or returns reserved ones. */
export async function addToDay(
  db: Kysely<SmsDatabase>,
  { caps, day, texts }: { caps: DayCap[]; day: string; texts: number },
): Promise<void> {
  const counters = caps.map(({ counter }) => counter);
  if (counters.length === 0 || texts === 0) return;
  await db
    .updateTable('sender_days')
    .set({ texts: sql`texts + ${texts}` })
    .where('counter', 'in', counters)
    .where('day', '=', day)
    .execute();
}

export async function addToHour(
  db: Kysely<SmsDatabase>,
  counts: { number: string; sent: number; failed: number }[],
  hour: Date,
): Promise<void> {
  for (const count of counts)
    await sql`insert into sender_hours as h (number, hour, sent, failed)
      values (${count.number}, ${hour}, ${count.sent}, ${count.failed})
      on conflict (number, hour) do update set sent = h.sent + excluded.sent, failed = h.failed + excluded.failed`.execute(
      db,
    );
}

export function findHours(db: Kysely<SmsDatabase>, since: Date) {
  return db
    .selectFrom('sender_hours')
    .select(['number'])
    .select((select) => [
      select.fn.sum<number>('sent').as('sent'),
      select.fn.sum<number>('failed').as('failed'),
    ])
    .where('hour', '>=', since)
    .groupBy('number')
    .execute();
}

const slowAgainMs = 60_000;
const maxSlowdowns = 4;

/** Halves a sender's rate, at most once a minute. */
export async function slowDown(
  trx: Transaction<SmsDatabase>,
  number: string,
  now: Date,
): Promise<void> {
  await sql`update senders set slowed_at = ${now},
      slowdowns = case when slowed_at > ${new Date(now.getTime() - slowedForMs)} then least(slowdowns + 1, ${maxSlowdowns}) else 1 end
    where number = ${number} and (slowed_at is null or slowed_at <= ${new Date(now.getTime() - slowAgainMs)})`.execute(
    trx,
  );
}

export const oldSenderHours: Cleanup<SmsDatabase> = {
  table: 'sender_hours',
  column: 'hour',
  keptMs: 8 * dayMs,
};

export const oldSenderDays: Cleanup<SmsDatabase> = {
  table: 'sender_days',
  column: 'day',
  keptMs: 8 * dayMs,
};

import { inIndexOrder } from '@daylift/database/index-order';
import { isRecent } from '@daylift/database/partitions';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isAbandoned } from '../freeze/freeze.repository.ts';
import { isOneOf, logDay } from '../texts/due-texts.repository.ts';
import type { PushedText } from '../texts/push-texts.ts';
import { keyOf, localDateOf } from '../texts/text-ids.ts';

/** A job this old with a queued text counts as lost once the queue is empty. */
const lostAfterMs = 2_000;

/** Marks due texts as enqueued and returns them. `again` includes texts whose job seems lost. */
export async function takeTextsToEnqueue(
  db: Kysely<SmsDatabase>,
  options: { now: Date; wall: Date; again: boolean; limit: number },
): Promise<PushedText[]> {
  const lost = new Date(options.wall.getTime() - lostAfterMs);
  const take = sql<PushedText>`
    update texts set enqueued_at = ${options.wall}
    where (id, local_date) in (
      select id, local_date from texts
      where state = 'queued' and ${isRecent(options.now)} and next_attempt_at <= ${options.now}
        and (enqueued_at is null or (${options.again} and enqueued_at < ${lost}))
        and ${isAbandoned()} is not true
      order by next_attempt_at limit ${options.limit} for update skip locked)
    returning id, batch_id, traceparent`;
  return inIndexOrder(db, async (trx) => (await take.execute(trx)).rows);
}

export async function hasDueTexts(db: Kysely<SmsDatabase>, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists(
    select 1 from texts where state = 'queued' and ${isRecent(now)} and next_attempt_at <= ${now}) as has`.execute(
    db,
  );
  return rows[0]?.has ?? false;
}

/** Returns texts that are due or being sent. Concurrent callers get the same list. */
export async function findOpenIds(
  db: Kysely<SmsDatabase>,
  now: Date,
  limit: number,
): Promise<string[]> {
  // Two branches, because each state has its own index. One statement, so a text that changes state right now is in one
  // of them.
  const find = sql<{ id: string }>`
    (select id from texts where state = 'inflight' and ${isRecent(now)} and next_attempt_at <= ${now} limit ${limit})
    union all
    (select id from texts where state = 'queued' and ${isRecent(now)} and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit})
    limit ${limit}`;
  const { rows } = await inIndexOrder(db, (trx) => find.execute(trx));
  return rows.map(({ id }) => id);
}

/** Returns due texts, including those whose job is still waiting. */
export async function findDueIds(
  db: Kysely<SmsDatabase>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await inIndexOrder(db, (trx) =>
    trx
      .selectFrom('texts')
      .select('id')
      .where('state', '=', sql.lit('queued'))
      .where(isRecent(now))
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(limit)
      .execute(),
  );
  return rows.map(({ id }) => id);
}

/** Returns the next text that is due or waits for a retry, made due now. Leaves out those whose windows are closed now. */
export async function takeTextToTry(
  db: Kysely<SmsDatabase>,
  now: Date,
  except: string[],
): Promise<string | undefined> {
  const take = sql<{ id: string }>`update texts set next_attempt_at = least(next_attempt_at, ${now})
    where (id, local_date) in (select id, local_date from texts
      where state = 'queued' and ${isRecent(now)} and (next_attempt_at <= ${now} or attempts > 0) and id <> all(${except})
        and exists (select from jsonb_to_recordset(windows) as w (opens_at timestamptz, closes_at timestamptz)
          where w.opens_at <= ${now} and w.closes_at > ${now})
      order by next_attempt_at limit 1 for update skip locked)
    returning id`;
  return (await inIndexOrder(db, (trx) => take.execute(trx))).rows[0]?.id;
}

export interface QueueCounts {
  /** Due and not claimed by a worker. */
  due: number;
  /** Being sent. */
  held: number;
}

export async function countQueue(db: Kysely<SmsDatabase>, now: Date): Promise<QueueCounts> {
  const result = await sql<QueueCounts>`select
      (select count(*) from texts where state = 'queued' and ${isRecent(now)} and next_attempt_at <= ${now}) as due,
      (select count(*) from texts where state = 'inflight' and ${isRecent(now)}) as held`.execute(
    db,
  );
  return result.rows[0]!;
}

/** Returns the earliest instant after `now` at which a queued text becomes due or missed. */
export async function nextQueueInstant(db: Kysely<SmsDatabase>, now: Date): Promise<Date | null> {
  const result = await sql<{ at: Date | null }>`select least(
      (select min(next_attempt_at) from texts where state = 'queued' and ${isRecent(now)} and next_attempt_at > ${now}),
      (select min(deadline_at) from texts where state = 'queued' and ${isRecent(now)} and deadline_at > ${now})) as at`.execute(
    db,
  );
  return result.rows[0]?.at ?? null;
}

/** Counts which of these texts are still due and which failed. One that waits for a retry is neither. */
export async function countOutcomes(
  db: Kysely<SmsDatabase>,
  ids: string[],
  now: Date,
): Promise<{ open: number; waiting: number; failed: number }> {
  const dates = [...new Set(ids.map((id) => keyOf(id).local_date))];
  const result = await sql<{ open: number; waiting: number; failed: number }>`select
      count(*) filter (where state = 'inflight'
        or (state = 'queued' and next_attempt_at <= ${now})) as open,
      count(*) filter (where state = 'queued' and next_attempt_at > ${now}) as waiting,
      count(*) filter (where state in ('failed', 'refused', 'missed', 'unknown')) as failed
    from texts where id = any(${ids}) and local_date = any(${dates}::date[])`.execute(db);
  return result.rows[0]!;
}

export async function hasQueuedTexts(db: Kysely<SmsDatabase>): Promise<boolean> {
  const queued = await db
    .selectFrom('texts')
    .select('id')
    .where('state', '=', 'queued')
    .limit(1)
    .executeTakeFirst();
  return queued !== undefined;
}

export async function countDue(
  db: Kysely<SmsDatabase>,
  now: Date,
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ due: number }>`select count(*) as due from (select 1 from texts
    where state = 'queued' and ${isRecent(now)} and next_attempt_at <= ${now} limit ${atMost}) as waiting`.execute(
    db,
  );
  return rows[0]?.due ?? 0;
}

/** Returns when the oldest queued text became due, ignoring codes. */
export async function findOldestDueAt(db: Kysely<SmsDatabase>, now: Date): Promise<Date | null> {
  // Codes are queued first and live for minutes, so the index scan passes over few of them.
  const oldest = sql<{ at: Date }>`select greatest(next_attempt_at, created_at) as at from texts
    where state = 'queued' and ${isRecent(now)} and kind <> 'one_time_code' and next_attempt_at <= ${now}
    order by next_attempt_at limit 1`;
  const { rows } = await inIndexOrder(db, (trx) => oldest.execute(trx));
  return rows[0]?.at ?? null;
}

/** Counts texts since yesterday with an unknown outcome. */
export async function countUnresolved(
  db: Kysely<SmsDatabase>,
  now: Date,
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ unknown: number }>`
    select count(*) as unknown from (select 1 from texts
      where state = 'unknown' and local_date >= ${now}::date - 1 and ${logDay} >= ${now}::date - 1 limit ${atMost}) as unclear`.execute(
    db,
  );
  return rows[0]?.unknown ?? 0;
}

/** Returns which of these texts wait to be sent or are being sent. */
export async function findWaiting(db: Kysely<SmsDatabase>, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('texts as t')
    .select('t.id')
    .where(
      isOneOf(
        't',
        ids.filter((id) => localDateOf(id) !== null),
      ),
    )
    .where('t.state', 'in', ['queued', 'inflight'])
    .execute();
  return rows.map(({ id }) => id);
}

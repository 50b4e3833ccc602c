import { countLimit } from '@daylift/contracts/limits';
import { inIndexOrder } from '@daylift/database/index-order';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { dueSince, isAbandoned } from './freeze.repository.ts';

export interface FreezeFigures {
  in_flight: number;
  queued: number;
  due_meanwhile: number;
  missed_meanwhile: number;
  unknown: number;
}

/** Counts waiting and in-flight texts, and those lost to a freeze since `since`. Each count stops at its limit. */
export async function countFigures(
  db: Kysely<SmsDatabase>,
  now: Date,
  since: Date | null,
): Promise<FreezeFigures> {
  const from = since ?? now;
  const ended = sql`settled_at >= ${from} and settled_at <= ${now} and ${since !== null}`;
  const count = sql<FreezeFigures>`
    with waiting as (
      select count(*) as queued, count(*) filter (where next_attempt_at >= ${from} and ${since !== null}) as due_meanwhile
      from (select next_attempt_at from texts where state = 'queued' and next_attempt_at <= ${now}
        order by next_attempt_at desc limit ${countLimit}) as latest
    )
    select queued, due_meanwhile,
    (select count(*) from texts where state = 'inflight') as in_flight,
    (select count(*) from (select 1 from texts where state = 'missed' and ${ended}
      limit ${countLimit}) as ended) as missed_meanwhile,
    (select count(*) from (select 1 from texts where state = 'unknown' and ${ended}
      limit ${countLimit}) as ended) as unknown
    from waiting`;
  return (await inIndexOrder(db, (trx) => count.execute(trx))).rows[0]!;
}

/** Due texts with these values in common have the same outcome after the freeze. */
export interface WaitingGroup {
  content: string;
  windows: { opens_at: string; closes_at: string }[];
  timezone: string | null;
  is_transactional: boolean;
  is_postponed: boolean;
  texts: number;
}

/** Maximum number of queued texts read. */
const sampleSize = 5_000;

/**
 * Samples the queue. `share` estimates which part of it was read: ids end in random digits, so the first ones by these
 * digits are a fair sample, and the range they cover gives the share.
 */
export async function sampleWaiting(
  db: Kysely<SmsDatabase>,
  now: Date,
): Promise<{ groups: WaitingGroup[]; share: number }> {
  const digits = sql`substr(id, 10)`;
  const sample = sql<WaitingGroup & { reach: string }>`
    with waiting as (
      select ${digits} as digits, content, windows, slot, user_id, batch_id, next_attempt_at > ${now} as is_postponed
      from texts where state = 'queued' and (next_attempt_at <= ${now} or ${dueSince()} <= ${now})
        and ${isAbandoned()} is not true
      order by ${digits} limit ${sampleSize}
    )
    select content, windows, coalesce(slot->>'timezone', r.timezone) as timezone, batch_id is null as is_transactional,
      is_postponed, count(*) as texts, max(digits) as reach
    from waiting left join recipients r on r.user_id = case when slot is null then waiting.user_id end
    group by 1, 2, 3, 4, 5`;
  const { rows } = await inIndexOrder(db, (trx) => sample.execute(trx));
  const sampled = rows.reduce((sum, { texts }) => sum + texts, 0);
  if (sampled < sampleSize) return { groups: rows, share: 1 };
  const reach = rows.map((row) => row.reach).toSorted();
  return { groups: rows, share: shareOfIds(reach.at(-1) ?? '') };
}

/** Returns the share of all possible random digits up to these. */
const shareOfIds = (digits: string): number =>
  (Number.parseInt(digits.slice(0, 12), 16) + 1) / 2 ** 48;

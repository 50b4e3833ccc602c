import { countLimit } from '@daylift/contracts/freeze.http';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';

export interface FreezeFigures {
  in_flight: number;
  queued: number;
  due_meanwhile: number;
  missed_meanwhile: number;
  unknown: number;
}

/** What waits, what is under way, and what a freeze since `since` has cost; each count stops at its limit. */
export async function countFigures(
  db: Kysely<SmsDatabase>,
  now: Date,
  since: Date | null,
): Promise<FreezeFigures> {
  const from = since ?? now;
  const ended = sql`settled_at >= ${from} and settled_at <= ${now} and ${since !== null}`;
  const result = await sql<FreezeFigures>`select
    (select count(*) from texts where state = 'inflight') as in_flight,
    (select count(*) from (select 1 from texts where state = 'queued' and next_attempt_at <= ${now}
      limit ${countLimit}) as waiting) as queued,
    (select count(*) from (select 1 from texts where state = 'queued' and next_attempt_at <= ${now}
      and next_attempt_at >= ${from} and ${since !== null} limit ${countLimit}) as waiting) as due_meanwhile,
    (select count(*) from (select 1 from texts where state = 'missed' and ${ended}
      limit ${countLimit}) as ended) as missed_meanwhile,
    (select count(*) from (select 1 from texts where state = 'unknown' and ${ended}
      limit ${countLimit}) as ended) as unknown`.execute(db);
  return result.rows[0]!;
}

/** Texts of the queue that have all of this in common share their fate when sending starts again. */
export interface WaitingGroup {
  content: string;
  windows: { opens_at: string; closes_at: string }[];
  timezone: string | null;
  is_own: boolean;
  texts: number;
}

export async function groupWaiting(db: Kysely<SmsDatabase>, now: Date): Promise<WaitingGroup[]> {
  const result = await sql<WaitingGroup>`
    select t.content, t.windows, coalesce(t.slot->>'timezone', r.timezone) as timezone, t.batch_id is null as is_own,
      count(*) as texts
    from texts t left join recipients r on t.slot is null and r.user_id = t.user_id
    where t.state in ('queued', 'claimed') and t.next_attempt_at <= ${now}
    group by 1, 2, 3, 4`.execute(db);
  return result.rows;
}

import type { Frequency } from '@daylift/contracts/fields';
import type { DispatchKind } from '@daylift/contracts/scheduler.events';
import type { TextOutcome } from '@daylift/contracts/sms.events';
import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;

const isKind = (kind: DispatchKind) =>
  kind === 'daily' ? sql`kind = 'daily'` : sql`kind <> 'daily'`;
/** A subscriber has one daily text for a date, but may have several announcements. */
const oncePerPerson = (kind: DispatchKind) =>
  kind === 'daily' ? sql`user_id` : sql`distinct user_id`;
/** Matches the predicates of an index for each kind. */
export const isMissed = (kind: DispatchKind) =>
  sql`${isKind(kind)} and (state in ('skipped', 'missed', 'refused', 'unknown') or is_test)`;
const reasonOf = sql`coalesce(reason, '')`;
/** Larger groups are not counted any further. */
export const groupLimit = 100_000;

export interface EndedGroup {
  state: TextOutcome;
  reason: string;
  people: number;
}

/**
 * Counts a date's undelivered texts of a kind by outcome. Skips from group to group in the index and counts each up to a
 * limit, so a morning with a million missed texts is counted as fast.
 */
export async function countMissed(db: Db, date: string, kind: DispatchKind): Promise<EndedGroup[]> {
  const missed = isMissed(kind);
  const result = await sql<EndedGroup>`
    with recursive groups as (
      (select state, ${reasonOf} as reason from dispatches where local_date = ${date} and ${missed}
        order by state, ${reasonOf} limit 1)
      union all
      select next.state, next.reason from groups cross join lateral (
        select state, ${reasonOf} as reason from dispatches where local_date = ${date} and ${missed}
          and (state, ${reasonOf}) > (groups.state, groups.reason)
        order by state, ${reasonOf} limit 1) as next
    )
    select state, reason, (select count(*) from (select ${oncePerPerson(kind)} from dispatches where local_date = ${date} and ${missed}
      and state = groups.state and ${reasonOf} = groups.reason limit ${groupLimit}) as counted) as people
    from groups`.execute(db);
  return result.rows;
}

/** Counts texts that are late and may still be sent, up to the limit. */
export async function countWaiting(
  db: Db,
  { date, kind }: Pick<PageOf, 'date' | 'kind'>,
  now: Date,
): Promise<number> {
  const result = await sql<{ people: number }>`select count(*) as people from (
    select ${oncePerPerson(kind)} from dispatches
    where local_date = ${date} and state in ('planned', 'released') and ${isKind(kind)} and due_at <= ${now} limit ${groupLimit}) as waiting`.execute(
    db,
  );
  return result.rows[0]?.people ?? 0;
}

export interface UndeliveredRow {
  id: string;
  user_id: string;
  timezone: string;
  due_at: Date;
  settled_at: Date | null;
  /** Null for a manual send. */
  frequency: Frequency | null;
  is_test: boolean;
}
const rowColumns = sql`id, user_id, timezone, due_at, settled_at, frequency, is_test`;

export interface PageOf {
  date: string;
  kind: DispatchKind;
  after: string | null;
  limit: number;
}

export async function findMissed(
  db: Db,
  { date, kind, after, limit }: PageOf,
  group: { state: string; reason: string },
): Promise<UndeliveredRow[]> {
  const result =
    await sql<UndeliveredRow>`select distinct on (user_id) ${rowColumns} from dispatches
    where local_date = ${date} and ${isMissed(kind)} and state = ${group.state} and ${reasonOf} = ${group.reason}
      and (${after}::uuid is null or user_id > ${after}::uuid)
    order by user_id, due_at limit ${limit}`.execute(db);
  return result.rows;
}

export async function findWaiting(
  db: Db,
  { date, kind, after, limit }: PageOf,
  now: Date,
): Promise<UndeliveredRow[]> {
  const result =
    await sql<UndeliveredRow>`select distinct on (user_id) ${rowColumns} from dispatches
    where local_date = ${date} and state in ('planned', 'released') and ${isKind(kind)} and due_at <= ${now}
      and (${after}::uuid is null or user_id > ${after}::uuid)
    order by user_id, due_at limit ${limit}`.execute(db);
  return result.rows;
}

/** Returns zone and hour of these subscribers' texts. */
export async function findDispatchesOf(
  db: Db,
  userIds: string[],
  { date, kind }: Pick<PageOf, 'date' | 'kind'>,
): Promise<UndeliveredRow[]> {
  const result = await sql<UndeliveredRow>`select ${rowColumns} from dispatches
    where user_id = any(${userIds}::uuid[]) and local_date = ${date} and ${isKind(kind)}`.execute(
    db,
  );
  return result.rows;
}

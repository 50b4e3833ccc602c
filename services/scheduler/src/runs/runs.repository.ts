import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Run } from './runs.table.ts';

type Db = Kysely<SchedulerDatabase>;

/** Starts a run and returns it, or undefined if one is in progress. */
export function beginRun(
  db: Db,
  run: { id: string; requested_at: Date; lease_until: Date },
): Promise<Run | undefined> {
  return db
    .insertInto('runs')
    .values(run)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findRunUnderWay(db: Db): Promise<Run | undefined> {
  return db.selectFrom('runs').selectAll().where('finished_at', 'is', null).executeTakeFirst();
}

export function findRun(db: Db, id: string): Promise<Run | undefined> {
  return db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the last run since `since` that released anything. */
export function findLastEffectiveRun(db: Db, since: Date): Promise<Run | undefined> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('finished_at', '>=', since)
    .where('scheduled', '>', 0)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function finishRun(
  db: Db,
  id: string,
  result: { scheduled: number; batch_id: string | null },
  now: Date,
): Promise<void> {
  await db
    .updateTable('runs')
    .set({ ...result, finished_at: now })
    .where('id', '=', id)
    .execute();
}

/** Expires runs whose process is gone. */
export async function expireRuns(db: Db, wall: Date, now: Date): Promise<void> {
  await db
    .updateTable('runs')
    .set({ finished_at: now })
    .where('finished_at', 'is', null)
    .where('lease_until', '<', wall)
    .execute();
}

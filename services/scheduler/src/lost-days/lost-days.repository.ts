import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;

/** Stores where to start, once. Days before that are never published. */
export async function rememberStart(db: Db, date: string): Promise<void> {
  await db
    .insertInto('lost_days_progress')
    .values({ published_until: date, claimed_until: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Claims the next date for this replica and returns the last one published, or null if there is nothing to claim. */
export async function claimProgress(
  db: Db,
  lastDate: string,
  leaseMs: number,
): Promise<string | null> {
  const wall = new Date();
  const row = await db
    .updateTable('lost_days_progress')
    .set({ claimed_until: new Date(wall.getTime() + leaseMs) })
    .where('published_until', '<', lastDate)
    .where((where) =>
      where.or([where('claimed_until', 'is', null), where('claimed_until', '<', wall)]),
    )
    .returning('published_until')
    .executeTakeFirst();
  return row?.published_until ?? null;
}

/** Ends the claim. Another replica may have taken over an expired one and gone further. */
export async function releaseProgress(db: Db, from: string, to: string): Promise<void> {
  await db
    .updateTable('lost_days_progress')
    .set({ published_until: to, claimed_until: null })
    .where('published_until', '=', from)
    .execute();
}

import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

/** The subscriber's next text of the day that has its row already. */
export function findPlannedText(
  db: Kysely<SchedulerDatabase>,
  userId: string,
): Promise<{ local_date: string; due_at: Date } | undefined> {
  return db
    .selectFrom('dispatches')
    .select(['local_date', 'due_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'daily')
    .where('state', '=', 'planned')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
}

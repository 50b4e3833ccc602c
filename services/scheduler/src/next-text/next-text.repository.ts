import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { NextText } from '../subscribers/next-text.ts';

/** Returns the subscriber's next planned text. */
export function findPlannedText(
  db: Kysely<SchedulerDatabase>,
  userId: string,
): Promise<NextText | undefined> {
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

import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { NextText } from '../subscribers/next-text.ts';

/** The subscriber's next text of the day that has its row already; `heldOnly`: of those that staff sent and hold. */
export function findPlannedText(
  db: Kysely<SchedulerDatabase>,
  userId: string,
  { heldOnly }: { heldOnly: boolean } = { heldOnly: false },
): Promise<NextText | undefined> {
  return db
    .selectFrom('dispatches')
    .select(['local_date', 'due_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'daily')
    .where('state', '=', 'planned')
    .$if(heldOnly, (query) => query.where('staff_send_id', 'is not', null))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
}

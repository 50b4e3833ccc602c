import { type Kysely, sql } from 'kysely';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;

/**
 * Returns whether anyone may still get this message as the text of its date: not planned yet, planned or in progress.
 */
export async function hasRecipientsLeft(db: Db, message: ScheduledMessage): Promise<boolean> {
  const result = await sql<{ left: boolean }>`select
    exists (select from subscribers where next_local_date <= ${message.scheduled_date})
    or exists (select from dispatches where local_date = ${message.scheduled_date} and kind = 'daily'
      and (state = 'planned' or (state = 'released' and scheduled_message_id = ${message.id})))
    or ${underWay(message)} as left`.execute(db);
  return result.rows[0]?.left ?? false;
}

/** Returns whether this message is planned or in progress for anyone. */
export async function isInProgress(db: Db, message: ScheduledMessage): Promise<boolean> {
  const result = await sql<{ left: boolean }>`select ${underWay(message)} as left`.execute(db);
  return result.rows[0]?.left ?? false;
}

const underWay = (message: ScheduledMessage) =>
  sql`exists (select from dispatches where scheduled_message_id = ${message.id} and state in ('planned', 'released'))`;

/** Returns whether anyone was sent this message. */
export async function wasSentToAnyone(db: Db, message: ScheduledMessage): Promise<boolean> {
  const row = await db
    .selectFrom('dispatches')
    .select('id')
    .where('scheduled_message_id', '=', message.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

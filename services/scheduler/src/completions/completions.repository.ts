import { type Kysely, sql } from 'kysely';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;

/** Whether anybody may still get the text of this date with this message: not planned yet, planned, or under way. */
export async function hasRecipientsLeft(db: Db, message: ScheduledMessage): Promise<boolean> {
  const result = await sql<{ left: boolean }>`select
    exists (select from subscribers where next_local_date <= ${message.scheduled_date})
    or exists (select from dispatches where local_date = ${message.scheduled_date} and kind = 'daily'
      and (state = 'planned' or (state = 'released' and scheduled_message_id = ${message.id})))
    or ${underWay(message)} as left`.execute(db);
  return result.rows[0]?.left ?? false;
}

/** Whether this very message is planned for or on its way to anybody. */
export async function isUnderWay(db: Db, message: ScheduledMessage): Promise<boolean> {
  const result = await sql<{ left: boolean }>`select ${underWay(message)} as left`.execute(db);
  return result.rows[0]?.left ?? false;
}

const underWay = (message: ScheduledMessage) =>
  sql`exists (select from dispatches where scheduled_message_id = ${message.id} and state in ('planned', 'released'))`;

/** Whether anybody was sent this message at all. */
export async function wasSentToAnyone(db: Db, message: ScheduledMessage): Promise<boolean> {
  const row = await db
    .selectFrom('dispatches')
    .select('id')
    .where('scheduled_message_id', '=', message.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

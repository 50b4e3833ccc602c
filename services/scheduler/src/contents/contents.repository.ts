import type {
  LibraryTemplate,
  ScheduledContent,
  SequenceText,
} from '@daylift/contracts/content.events';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { publish } from '@daylift/events/publish';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { ScheduledMessage } from './contents.table.ts';

type Db = Kysely<SchedulerDatabase>;
type Trx = Transaction<SchedulerDatabase>;

export function findMessage(db: Db, id: string): Promise<ScheduledMessage | undefined> {
  return db.selectFrom('scheduled_messages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the message, so planning it as an announcement and sending it manually can't overlap. */
export function lockMessage(trx: Trx, id: string): Promise<ScheduledMessage | undefined> {
  return trx
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function findMessages(db: Db, ids: string[]): Promise<ScheduledMessage[]> {
  return ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('scheduled_messages').selectAll().where('id', 'in', ids).execute();
}

/** Returns announcements from `since` to `until` that are neither completed nor sent manually. */
export function findOpenAnnouncements(
  db: Db,
  since: string,
  until: string,
): Promise<ScheduledMessage[]> {
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('category', '=', 'announcement')
    .where('is_deleted', '=', false)
    .where('completed_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('staff_sends')
            .select('id')
            .whereRef('staff_sends.scheduled_message_id', '=', 'scheduled_messages.id'),
        ),
      ),
    )
    .where('scheduled_date', '>=', since)
    .where('scheduled_date', '<=', until)
    .orderBy('id')
    .execute();
}

/** Returns messages up to a date without a completion. */
export function findUncompletedMessages(db: Db, until: string): Promise<ScheduledMessage[]> {
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('is_deleted', '=', false)
    .where('completed_at', 'is', null)
    .where('scheduled_date', '<=', until)
    .orderBy('scheduled_date')
    .execute();
}

/**
 * Marks a message as sent and publishes it, unless already done. With a version, only if that is still current: a
 * changed message is another one.
 */
export async function completeMessage(
  trx: Trx,
  id: string,
  now: Date,
  version?: number,
): Promise<boolean> {
  const completed = await trx
    .updateTable('scheduled_messages')
    .set({ completed_at: now })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .returning(['id', 'version', 'sent_early'])
    .executeTakeFirst();
  if (completed === undefined) return false;
  await publishCompleted(trx, completed, now);
  return true;
}

export async function publishCompleted(
  trx: Trx,
  { id, version, sent_early }: Pick<ScheduledMessage, 'id' | 'version' | 'sent_early'>,
  completedAt: Date,
): Promise<void> {
  await publish(
    trx,
    schedulerEvents,
    'scheduler.message.completed',
    {
      scheduled_message_id: id,
      completed_at: completedAt.toISOString(),
      version,
      ...(sent_early && { sent_early }),
    },
    completedAt,
  );
}

/** Frees the date of a daily message that is sent before it. */
export async function markSentEarly(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('scheduled_messages')
    .set({ sent_early: true })
    .where('id', '=', id)
    .execute();
}

/** Reopens a completed message. */
export async function reopenMessage(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('scheduled_messages')
    .set({ completed_at: null })
    .where('id', '=', id)
    .execute();
}

/** Stores a scheduled message and returns what changed. An older version or a deleted message changes nothing. */
export async function saveMessage(
  trx: Trx,
  data: ScheduledContent,
): Promise<'new' | 'changed' | 'kept'> {
  const saved = await sql<{ is_new: boolean }>`
    insert into scheduled_messages (id, version, title, content, scheduled_date, scheduled_time, category)
    select ${data.id}::uuid, ${data.version}::integer, ${data.title}, ${data.content}, ${data.scheduled_date}::date,
      ${data.scheduled_time}, ${data.category}
    where not exists (select from deleted_messages where id = ${data.id})
    on conflict (id) do update set version = excluded.version, title = excluded.title, content = excluded.content,
      scheduled_date = excluded.scheduled_date, scheduled_time = excluded.scheduled_time, category = excluded.category
    where excluded.version > scheduled_messages.version
    returning xmax = 0 as is_new`.execute(trx);
  const [row] = saved.rows;
  if (row === undefined) return 'kept';
  return row.is_new ? 'new' : 'changed';
}

/** Final: later events about this message are ignored. */
export async function deleteMessage(trx: Trx, id: string): Promise<void> {
  await trx
    .insertInto('deleted_messages')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx
    .updateTable('scheduled_messages')
    .set({ is_deleted: true })
    .where('id', '=', id)
    .execute();
}

export async function saveTemplate(trx: Trx, data: LibraryTemplate): Promise<void> {
  await trx
    .insertInto('templates')
    .values(data)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) => ({
          version: set.ref('excluded.version'),
          content: set.ref('excluded.content'),
          category: set.ref('excluded.category'),
          is_active: set.ref('excluded.is_active'),
        }))
        .whereRef('excluded.version', '>', 'templates.version'),
    )
    .execute();
}

export async function saveSequenceText(trx: Trx, data: SequenceText): Promise<void> {
  await trx
    .insertInto('sequence_texts')
    .values(data)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) => ({
          version: set.ref('excluded.version'),
          content: set.ref('excluded.content'),
          is_active: set.ref('excluded.is_active'),
        }))
        .whereRef('excluded.version', '>', 'sequence_texts.version'),
    )
    .execute();
}

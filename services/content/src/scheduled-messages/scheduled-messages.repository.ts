import type { BatchProgress } from '@daylift/contracts/sms.events';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ContentDatabase, ScheduledMessagesTable } from '../database.ts';

type Db = Kysely<ContentDatabase>;
type Trx = Transaction<ContentDatabase>;
export type StoredMessage = Selectable<ScheduledMessagesTable>;

export interface Progress {
  total: number;
  successful: number;
  failed: number;
  pending: number;
}

/** Undefined when the date already has its daily message. */
export async function insertMessage(
  trx: Trx,
  message: StoredMessage,
): Promise<StoredMessage | undefined> {
  return trx
    .insertInto('scheduled_messages')
    .values(message)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Whether the daily message of a date is one that everybody has had. */
export async function isDailySent(db: Db, date: string): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_messages')
    .select('id')
    .where('scheduled_date', '=', date)
    .where('category', '=', 'daily_motivation')
    .where('sent_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** With what was counted of it. Undefined when it was sent, or is not there. */
export async function deleteUnsentMessage(
  trx: Trx,
  id: string,
): Promise<StoredMessage | undefined> {
  const deleted = await trx
    .deleteFrom('scheduled_messages')
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (deleted !== undefined)
    await trx.deleteFrom('message_progress').where('scheduled_message_id', '=', id).execute();
  return deleted;
}

export async function messageExists(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_messages')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first end counts. */
export async function markSent(trx: Trx, id: string, sentAt: Date): Promise<void> {
  await trx
    .updateTable('scheduled_messages')
    .set({ sent_at: sentAt })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** Newest date first, each with the sum of its batches. */
export async function listMessages(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ rows: (StoredMessage & Progress)[]; total: number }> {
  const [rows, count] = await Promise.all([
    db
      .selectFrom('scheduled_messages')
      .leftJoinLateral(
        (query) =>
          query
            .selectFrom('message_progress')
            .whereRef('message_progress.scheduled_message_id', '=', 'scheduled_messages.id')
            .select((select) =>
              (['total', 'successful', 'failed', 'pending'] as const).map((name) =>
                select.fn.coalesce(select.fn.sum<number>(name), select.val(0)).as(name),
              ),
            )
            .as('progress'),
        (join) => join.onTrue(),
      )
      .selectAll('scheduled_messages')
      .select(['progress.total', 'progress.successful', 'progress.failed', 'progress.pending'])
      .orderBy('scheduled_date', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('scheduled_messages.id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    db
      .selectFrom('scheduled_messages')
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    total: count.total,
    rows: rows.map((row) => ({
      ...row,
      total: Number(row.total),
      successful: Number(row.successful),
      failed: Number(row.failed),
      pending: Number(row.pending),
    })),
  };
}

/**
 * Counts of a batch replace its older ones, in whatever order they come. Those of a message that was taken back, which
 * may come for as long as its last texts are under way, are dropped.
 */
export async function putProgress(trx: Trx, progress: BatchProgress): Promise<void> {
  const kept = await lockMessages(
    trx,
    progress.by_message.map((message) => message.scheduled_message_id),
  );
  const rows = progress.by_message
    .filter((message) => kept.has(message.scheduled_message_id))
    .map((message) => ({ ...message, batch_id: progress.batch_id, version: progress.version }));
  if (rows.length === 0) return;
  await trx
    .insertInto('message_progress')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['scheduled_message_id', 'batch_id'])
        .doUpdateSet((set) => ({
          version: set.ref('excluded.version'),
          total: set.ref('excluded.total'),
          successful: set.ref('excluded.successful'),
          failed: set.ref('excluded.failed'),
          pending: set.ref('excluded.pending'),
        }))
        .whereRef('excluded.version', '>', 'message_progress.version'),
    )
    .execute();
}

/** Which of these there are; none of them can be deleted before the transaction ends. */
async function lockMessages(trx: Trx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('scheduled_messages')
    .select('id')
    .where('id', 'in', ids)
    .forKeyShare()
    .execute();
  return new Set(rows.map((row) => row.id));
}

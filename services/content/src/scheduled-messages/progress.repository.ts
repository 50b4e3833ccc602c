import type { ScheduledMessageQuery } from '@daylift/contracts/scheduled-messages.http';
import type { BatchProgress } from '@daylift/contracts/sms.events';
import type { Kysely, Transaction } from 'kysely';
import type { ContentDatabase } from '../database.ts';
import { contains } from '../words/search.ts';
import type { StoredMessage } from './scheduled-messages.repository.ts';

type Db = Kysely<ContentDatabase>;
type Trx = Transaction<ContentDatabase>;

export interface Progress {
  total: number;
  successful: number;
  failed: number;
  pending: number;
}
export type MessageWithProgress = StoredMessage & Progress;

/** Messages, each with the sum of its batches. */
const withProgress = (db: Db) =>
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
    .select(['progress.total', 'progress.successful', 'progress.failed', 'progress.pending']);

/** A sum comes as decimal text, and a message without batches has none. */
const inNumbers = (
  row: StoredMessage & { [K in keyof Progress]: number | null },
): MessageWithProgress => ({
  ...row,
  total: Number(row.total),
  successful: Number(row.successful),
  failed: Number(row.failed),
  pending: Number(row.pending),
});

/** One page; upcoming ones soonest first, all others newest date first. */
export async function listMessages(
  db: Db,
  query: ScheduledMessageQuery,
): Promise<{ rows: MessageWithProgress[]; total: number }> {
  const matching = filtered(db, query);
  const order = query.status === 'upcoming' ? 'asc' : 'desc';
  const [rows, count] = await Promise.all([
    withProgress(db)
      .where('scheduled_messages.id', 'in', matching.select('id'))
      .orderBy('scheduled_date', order)
      .orderBy('created_at', order)
      .orderBy('scheduled_messages.id')
      .limit(query.limit)
      .offset(query.offset)
      .execute(),
    matching.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.map(inNumbers), total: count.total };
}

const filtered = (db: Db, { status, category, search }: ScheduledMessageQuery) =>
  db
    .selectFrom('scheduled_messages')
    .$if(status === 'upcoming', (query) => query.where('sent_at', 'is', null))
    .$if(status === 'sent', (query) => query.where('sent_at', 'is not', null))
    .$if(category !== undefined, (query) =>
      query.where('category', '=', category ?? 'daily_motivation'),
    )
    .$if(search !== undefined, (query) => query.where('title', 'ilike', contains(search ?? '')));

export async function findWithProgress(
  db: Db,
  id: string,
): Promise<MessageWithProgress | undefined> {
  const row = await withProgress(db).where('scheduled_messages.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : inNumbers(row);
}

/** Of some days in a row; not without end, however many announcements there are. */
export async function findOfDays(
  db: Db,
  from: string,
  until: string,
): Promise<MessageWithProgress[]> {
  const rows = await withProgress(db)
    .where('scheduled_date', '>=', from)
    .where('scheduled_date', '<=', until)
    .orderBy('scheduled_date')
    .orderBy('scheduled_time')
    .orderBy('scheduled_messages.id')
    .limit(1_000)
    .execute();
  return rows.map(inNumbers);
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

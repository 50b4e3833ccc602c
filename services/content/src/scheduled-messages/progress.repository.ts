import type { ScheduledMessageQuery } from '@daylift/contracts/scheduled-messages.http';
import type { BatchProgress } from '@daylift/contracts/sms.events';
import { sql } from 'kysely';
import type { Db, Trx } from '../database.ts';
import { contains } from '../words/search.ts';
import type { StoredMessage } from './scheduled-messages.repository.ts';

export interface Progress {
  total: number;
  successful: number;
  failed: number;
  pending: number;
}
export type MessageWithProgress = StoredMessage & Progress;

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

/** Sums are decimal strings, and null without batches. */
const toNumbers = (
  row: StoredMessage & { [K in keyof Progress]: number | null },
): MessageWithProgress => ({
  ...row,
  total: Number(row.total),
  successful: Number(row.successful),
  failed: Number(row.failed),
  pending: Number(row.pending),
});

/** Matches the index: unsent messages first, soonest first; then sent ones, latest first. */
const isSent = sql`(scheduled_messages.sent_at is not null)`;
const daysAway = sql`(case when scheduled_messages.sent_at is null
  then scheduled_messages.scheduled_date - '2000-01-01'::date
  else '2000-01-01'::date - scheduled_messages.scheduled_date end)`;

export async function listMessages(
  db: Db,
  query: ScheduledMessageQuery,
): Promise<{ rows: MessageWithProgress[]; total: number }> {
  const matching = filtered(db, query);
  const [rows, count] = await Promise.all([
    withProgress(db)
      .where('scheduled_messages.id', 'in', matching.select('id'))
      .orderBy(isSent)
      .orderBy(daysAway)
      .orderBy('created_at')
      .orderBy('scheduled_messages.id')
      .limit(query.limit)
      .offset(query.offset)
      .execute(),
    matching.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.map(toNumbers), total: count.total };
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
  return row === undefined ? undefined : toNumbers(row);
}

/** Returns the messages of a date range, and later ones sent since an instant, up to a limit. */
export async function findByDates(
  db: Db,
  { from, until, sentSince }: { from: string; until: string; sentSince: Date },
): Promise<MessageWithProgress[]> {
  const rows = await withProgress(db)
    .where('scheduled_date', '>=', from)
    .where((where) =>
      where.or([where('scheduled_date', '<=', until), where('sent_at', '>=', sentSince)]),
    )
    .orderBy('scheduled_date')
    .orderBy('scheduled_time')
    .orderBy('scheduled_messages.id')
    .limit(1_000)
    .execute();
  return rows.map(toNumbers);
}

/**
 * Replaces a batch's counts by newer ones, in any order of events. Ignores counts of deleted messages, which arrive
 * until their last texts complete.
 */
export async function putProgress(trx: Trx, progress: BatchProgress): Promise<void> {
  const locked = await lockMessages(
    trx,
    progress.by_message.map((message) => message.scheduled_message_id),
  );
  const rows = progress.by_message
    .filter((message) => locked.has(message.scheduled_message_id))
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

/** Returns which of these exist, and locks them against deletion. */
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

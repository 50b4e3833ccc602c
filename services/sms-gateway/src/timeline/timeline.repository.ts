import type { DateSpan } from '@daylift/database/date-spans';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { ReceiptsTable } from '../receipts/receipts.table.ts';
import type { TextState } from '../texts/text-states.ts';
import type { TextsTable } from '../texts/texts.table.ts';

type Db = Kysely<SmsDatabase>;

export type TimelineText = Selectable<TextsTable> & {
  /** Its fixed place in the timeline. */
  placed_at: Date;
  batch_name: string | null;
  batch_kind: 'scheduled' | 'manual_run' | 'staff_send' | null;
};

/** The plan's own instant, so a text and its plan are at the same position. */
const placedAt = sql<Date>`coalesce(texts.due_at, (texts.windows->0->>'opens_at')::timestamptz, texts.created_at)`;

const textsOf = (db: Db, userId: string) =>
  db
    .selectFrom('texts')
    .leftJoin('batches', 'batches.id', 'texts.batch_id')
    .where('texts.user_id', '=', userId)
    .selectAll('texts')
    .select([placedAt.as('placed_at'), 'batches.name as batch_name', 'batches.kind as batch_kind']);

export function findTexts(
  db: Db,
  userId: string,
  which: DateSpan & { states: TextState[]; notAfter: Date; limit: number },
): Promise<TimelineText[]> {
  return textsOf(db, userId)
    .where('texts.local_date', '>=', which.from)
    .where('texts.local_date', '<=', which.until)
    .where('texts.state', 'in', which.states)
    .where(placedAt, '<=', which.notAfter)
    .orderBy('placed_at', 'desc')
    .orderBy('texts.id', 'desc')
    .limit(which.limit)
    .execute();
}

/** Far more than anyone gets on one day. */
const dayLimit = 200;

export function findTextsOfDay(db: Db, userId: string, localDate: string): Promise<TimelineText[]> {
  return textsOf(db, userId)
    .where('texts.local_date', '=', localDate)
    .orderBy('placed_at', 'desc')
    .orderBy('texts.id', 'desc')
    .limit(dayLimit)
    .execute();
}

/** Returns the date of the subscriber's first text. */
export async function findFirstTextDate(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('texts')
    .select('local_date')
    .where('user_id', '=', userId)
    .orderBy('local_date')
    .limit(1)
    .executeTakeFirst();
  return row?.local_date ?? null;
}

export type TextReceipt = Pick<
  Selectable<ReceiptsTable>,
  'text_id' | 'status' | 'error_code' | 'occurred_at'
>;

/** In the order of events; for equal times the provider's last status comes last. */
export async function findReceipts(db: Db, textIds: string[]): Promise<TextReceipt[]> {
  if (textIds.length === 0) return [];
  return db
    .selectFrom('receipts')
    .select(['text_id', 'status', 'error_code', 'occurred_at'])
    .where('text_id', 'in', textIds)
    .orderBy('occurred_at')
    .orderBy((where) => where('event_type', '=', 'message.finalized'))
    .execute();
}

/** Returns a subscriber's replies, newest first, including those from before the number was theirs. */
export function findReplies(
  db: Db,
  userId: string,
  which: { from?: Date; until: Date; limit: number },
) {
  return db
    .selectFrom('inbound_texts')
    .select(['id', 'content', 'meaning', 'received_at'])
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        where.and([
          where('user_id', 'is', null),
          where(
            'from_number',
            '=',
            sql<string>`(select phone from recipients where user_id = ${userId})`,
          ),
        ]),
      ]),
    )
    .where('received_at', '<=', which.until)
    .$if(which.from !== undefined, (query) => query.where('received_at', '>=', which.from!))
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(which.limit)
    .execute();
}

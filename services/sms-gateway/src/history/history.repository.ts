import type { HistoryItem } from '@daylift/contracts/sms.http';
import type { DateSpan } from '@daylift/database/date-spans';
import { localDateAt } from '@daylift/delivery/send-windows';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextState } from '../texts/text-states.ts';
import type { TextsTable } from '../texts/texts.table.ts';
import type { DayCount, Rhythm } from './streak.ts';

/** Cursor of a page within one date. */
export interface Place {
  local_date: string;
  handed_at: Date;
  id: string;
}

export type ShownText = Pick<
  Selectable<TextsTable>,
  'id' | 'body' | 'content' | 'local_date' | 'state'
> & { handed_at: Date; kind: HistoryItem['kind'] };

/** Scheduled texts that were or may have been sent to the subscriber; no transactional texts, no tests. */
const ofSubscriber = (db: Kysely<SmsDatabase>, userId: string) =>
  db
    .selectFrom('texts')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['daily', 'announcement'])
    .where('is_test', '=', false);

const shownStates: TextState[] = ['accepted', 'sent', 'delivered', 'failed', 'unknown'];

const shown = (db: Kysely<SmsDatabase>, userId: string) =>
  ofSubscriber(db, userId).where('state', 'in', shownStates).where('handed_at', 'is not', null);

const arrived = (db: Kysely<SmsDatabase>, userId: string) =>
  ofSubscriber(db, userId).where('state', 'in', ['accepted', 'sent', 'delivered']);

/** Returns texts after a cursor that contain the search words in any case, newest first. */
export async function findShownTexts(
  db: Kysely<SmsDatabase>,
  userId: string,
  which: DateSpan & { behind: Place | null; search: string | undefined; limit: number },
): Promise<ShownText[]> {
  const { behind, search } = which;
  return shown(db, userId)
    .where('local_date', '>=', which.from)
    .where('local_date', '<=', which.until)
    .$if(behind !== null, (query) =>
      query.where(
        sql<boolean>`(local_date, handed_at, id) < (${behind?.local_date}, ${behind?.handed_at}, ${behind?.id})`,
      ),
    )
    .$if(search !== undefined, (query) =>
      // Not LIKE, so % and _ have no special meaning.
      query.where(sql<boolean>`strpos(lower(coalesce(body, content)), lower(${search})) > 0`),
    )
    .select(['id', 'body', 'content', 'local_date', 'state'])
    .select((select) => [
      select.ref('handed_at').$castTo<Date>().as('handed_at'),
      select.ref('kind').$castTo<HistoryItem['kind']>().as('kind'),
    ])
    .orderBy('local_date', 'desc')
    .orderBy('handed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(which.limit)
    .execute();
}

/** Returns the cursor of a text, or undefined if it isn't in the subscriber's history. */
export function findPlace(
  db: Kysely<SmsDatabase>,
  userId: string,
  key: { id: string; local_date: string },
): Promise<Place | undefined> {
  return shown(db, userId)
    .where('id', '=', key.id)
    .where('local_date', '=', key.local_date)
    .select(['id', 'local_date'])
    .select((select) => select.ref('handed_at').$castTo<Date>().as('handed_at'))
    .executeTakeFirst();
}

/** Returns the date of the subscriber's first text. */
export async function findFirstDate(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<string | null> {
  const row = await shown(db, userId)
    .select('local_date')
    .orderBy('local_date')
    .limit(1)
    .executeTakeFirst();
  return row?.local_date ?? null;
}

/** Includes daily texts that were never sent although the subscriber could have received them. */
export function findStatesByDay(
  db: Kysely<SmsDatabase>,
  userId: string,
  { from, until }: DateSpan,
): Promise<{ local_date: string; state: TextState }[]> {
  return ofSubscriber(db, userId)
    .where((where) =>
      where.or([
        where.and([where('state', 'in', shownStates), where('handed_at', 'is not', null)]),
        where.and([where('state', 'in', ['missed', 'refused']), where('kind', '=', 'daily')]),
      ]),
    )
    .where('local_date', '>=', from)
    .where('local_date', '<=', until)
    .select(['local_date', 'state'])
    .distinct()
    .orderBy('local_date')
    .execute();
}

/** Counts received texts by local date. */
export function countByDay(
  db: Kysely<SmsDatabase>,
  userId: string,
  span?: DateSpan,
): Promise<DayCount[]> {
  return arrived(db, userId)
    .$if(span !== undefined, (query) =>
      query.where('local_date', '>=', span!.from).where('local_date', '<=', span!.until),
    )
    .select(['local_date', (select) => select.fn.countAll<number>().as('count')])
    .groupBy('local_date')
    .execute();
}

export async function findRhythm(
  db: Kysely<SmsDatabase>,
  userId: string,
  now: Date,
): Promise<Rhythm> {
  const row = await db
    .selectFrom('recipients')
    .select(['timezone', 'frequency'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return {
    today: localDateAt(now, row?.timezone ?? 'UTC'),
    frequency: row?.frequency ?? 'daily',
  };
}

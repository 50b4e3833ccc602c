import type { DateSpan } from '@daylift/database/look-back';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextState } from '../texts/text-states.ts';
import type { TextsTable } from '../texts/texts.table.ts';
import type { DayCount } from './streak.ts';

/** Where a page ended: the order of the history, as far as it is not the date alone. */
export interface Place {
  local_date: string;
  handed_at: Date;
  id: string;
}

export type ShownText = Pick<
  Selectable<TextsTable>,
  'id' | 'body' | 'content' | 'local_date' | 'state'
> & { handed_at: Date };

/** Texts that went to the subscriber, or may have; not the ones of our own and no tests. */
const ofSubscriber = (db: Kysely<SmsDatabase>, userId: string) =>
  db
    .selectFrom('texts')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['daily', 'announcement'])
    .where('is_test', '=', false);

const shown = (db: Kysely<SmsDatabase>, userId: string) =>
  ofSubscriber(db, userId)
    .where('state', 'in', ['accepted', 'sent', 'delivered', 'failed', 'unknown'])
    .where('handed_at', 'is not', null);

const arrived = (db: Kysely<SmsDatabase>, userId: string) =>
  ofSubscriber(db, userId).where('state', 'in', ['accepted', 'sent', 'delivered']);

/** Newest first; of those behind a place, and of those that hold the words, whatever their case. */
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
      // No pattern, so that a % or _ is only what it is.
      query.where(sql<boolean>`strpos(lower(coalesce(body, content)), lower(${search})) > 0`),
    )
    .select(['id', 'body', 'content', 'local_date', 'state'])
    .select((select) => select.ref('handed_at').$castTo<Date>().as('handed_at'))
    .orderBy('local_date', 'desc')
    .orderBy('handed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(which.limit)
    .execute();
}

/** Where a text of this subscriber stands in their history; undefined for what is not in it. */
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

/** The date of the very first one: the end of every look back. */
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

/** The states in which the texts of each date are. */
export function findStatesByDay(
  db: Kysely<SmsDatabase>,
  userId: string,
  { from, until }: DateSpan,
): Promise<{ local_date: string; state: TextState }[]> {
  return shown(db, userId)
    .where('local_date', '>=', from)
    .where('local_date', '<=', until)
    .select(['local_date', 'state'])
    .distinct()
    .orderBy('local_date')
    .execute();
}

/** How many texts came on which local date, as far as is known. */
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

export async function findTimezone(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('recipients')
    .select('timezone')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.timezone ?? null;
}

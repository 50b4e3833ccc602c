import type { Frequency } from '@daylift/contracts/fields';
import type { CategoryRunway } from '@daylift/contracts/library-runway.http';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import { dayOf } from './days-left.ts';
import type { LibraryRunwayTable } from './library-runway.table.ts';

type Db = Kysely<SchedulerDatabase>;
type Trx = Transaction<SchedulerDatabase>;

/** The longest-standing subscribers run out of new texts first. */
const readersPerFrequency = 100;

export interface Reader {
  frequency: Frequency;
  next_local_date: string;
  category: string;
  /** Library texts until this reader has had every text of the category. */
  texts: number;
}

export function findRunway(db: Db): Promise<Selectable<LibraryRunwayTable> | undefined> {
  return db.selectFrom('library_runway').selectAll().executeTakeFirst();
}

/** Returns the active categories with their message counts, and a key that changes whenever the library does. */
export async function findLibrary(
  db: Db,
): Promise<{ key: string; categories: { category: string; active: number }[] }> {
  const rows = await db
    .selectFrom('templates')
    .select((select) => [
      'category',
      select.fn.countAll<number>().as('all'),
      select.fn.sum<number>('version').as('versions'),
      select.fn.countAll<number>().filterWhere('is_active', '=', true).as('active'),
    ])
    .groupBy('category')
    .orderBy('category')
    .execute();
  return {
    key: rows.map((row) => `${row.category}:${row.all}:${row.versions}`).join(),
    categories: rows
      .filter((row) => row.active > 0)
      .map(({ category, active }) => ({ category, active })),
  };
}

/**
 * Returns how many more texts each of the longest-standing subscribers gets, by category, before they have had every
 * one. Orders unused texts as `pickTemplates` does.
 */
export async function findReaders(db: Db): Promise<Reader[]> {
  const oldest = (
    frequency: Frequency,
  ) => sql`(select user_id, frequency, next_local_date from subscribers
    where next_local_date is not null and first_local_date is not null and frequency = ${frequency}
    order by first_local_date, user_id limit ${readersPerFrequency})`;
  const result = await sql<Reader>`
    with readers as materialized (${oldest('daily')} union all ${oldest('weekly')}),
    categories as (select distinct category from templates where is_active)
    select readers.frequency, readers.next_local_date, categories.category,
      coalesce(max(unused.place), 0)::integer as texts
    from readers left join past_templates as past using (user_id) cross join categories left join lateral (
      select templates.category, row_number() over (
        order by uuid_hash_extended(templates.id, uuid_hash_extended(readers.user_id, 0))) as place
      from templates left join (
        select distinct template_id from dispatches
        where dispatches.user_id = readers.user_id and template_id is not null and not is_test
          and state in ('released', 'accepted', 'unknown', 'refused')
      ) as used on used.template_id = templates.id
      where templates.is_active and used.template_id is null
        and not coalesce(templates.number = any(past.numbers), false)
    ) as unused on unused.category = categories.category
    group by readers.user_id, readers.frequency, readers.next_local_date, categories.category`.execute(
    db,
  );
  return result.rows;
}

export async function findScheduledDays(db: Db, from: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('scheduled_messages')
    .select('scheduled_date')
    .where('scheduled_date', '>=', from)
    .where('category', '=', 'daily_motivation')
    .where('is_deleted', '=', false)
    .where('sent_early', '=', false)
    .execute();
  return new Set(rows.map((row) => dayOf(row.scheduled_date)));
}

export async function saveRunway(
  trx: Trx,
  runway: { computed_at: Date; library_key: string; categories: CategoryRunway[] },
): Promise<void> {
  const row = { ...runway, categories: JSON.stringify(runway.categories) };
  await trx
    .insertInto('library_runway')
    .values({ singleton: true, ...row })
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet(row))
    .execute();
}

/** Deletes warnings that no longer apply. Returns the smallest newly reached threshold, or null. */
export async function warnOnce(
  trx: Trx,
  category: string,
  { days, thresholds, now }: { days: number; thresholds: readonly number[]; now: Date },
): Promise<number | null> {
  await trx
    .deleteFrom('library_warnings')
    .where('category', '=', category)
    .where('threshold_days', '<', days)
    .execute();
  const reached = thresholds.filter((threshold) => days <= threshold);
  if (reached.length === 0) return null;
  const added = await trx
    .insertInto('library_warnings')
    .values(reached.map((threshold_days) => ({ category, threshold_days, warned_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('threshold_days')
    .execute();
  return added.length === 0 ? null : Math.min(...added.map((row) => row.threshold_days));
}

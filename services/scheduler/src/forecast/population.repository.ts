import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Dispatch } from '../dispatches/dispatches.table.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

type Db = Kysely<SchedulerDatabase>;

/** Returns the next subscribers by id, with or without a next text. */
export function pageOfPopulation(
  db: Db,
  after: string | null,
  limit: number,
): Promise<Subscriber[]> {
  return db
    .selectFrom('subscribers')
    .selectAll()
    .$if(after !== null, (query) => query.where('user_id', '>', after ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

/** Returns all dispatches of these subscribers in a span of dates, in any state. */
export async function findDispatches(
  db: Db,
  userIds: string[],
  from: string,
  until: string,
): Promise<Map<string, Dispatch[]>> {
  const rows = await db
    .selectFrom('dispatches')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where('local_date', '>=', from)
    .where('local_date', '<=', until)
    .execute();
  return Map.groupBy(rows, (row) => row.user_id);
}

/** Placeholder for an unknown library text: the most expensive one, so estimates err high. */
export function findLongestTemplate(db: Db): Promise<{ id: string; content: string } | undefined> {
  return db
    .selectFrom('templates')
    .select(['id', 'content'])
    .where('is_active', '=', true)
    .orderBy((order) => order.fn('length', ['content']), 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

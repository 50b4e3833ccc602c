import { type Kysely, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import { drainWaves } from './drain.ts';
import type { ForecastResult, StoredForecast, Tally } from './forecasts.table.ts';
import type { Skip } from './tally.ts';

type Db = Kysely<SchedulerDatabase>;
type Trx = Transaction<SchedulerDatabase>;

/** Returns the last finished forecast and the one in progress. */
export async function findForecasts(
  db: Db,
): Promise<{ last: StoredForecast | undefined; running: StoredForecast | undefined }> {
  const rows = await db
    .selectFrom('rehearsals')
    .selectAll()
    .orderBy('started_at', 'desc')
    .limit(4)
    .execute();
  return {
    // Results of the previous version have no senders.
    last: rows.find((row) => row.result?.hours.every(({ senders }) => senders !== undefined)),
    running: rows.find((row) => row.finished_at === null),
  };
}

/** Requests a forecast unless one is pending. */
export async function requestForecast(
  db: Db,
  request: { id: string; as_of: Date; started_at: Date },
): Promise<void> {
  await db
    .insertInto('rehearsals')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Claims the requested forecast, or one whose process died, to compute it from the start. */
export function claimForecast(
  trx: Trx,
  claim: { token: string; lease_until: Date; as_of: Date; wall: Date },
): Promise<StoredForecast | undefined> {
  const { wall, ...row } = claim;
  return trx
    .updateTable('rehearsals')
    .set({ ...row, progress: 0 })
    .where('finished_at', 'is', null)
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', wall)]))
    .returningAll()
    .executeTakeFirst();
}

export async function forgetSkips(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('rehearsal_skips').where('rehearsal_id', '=', id).execute();
}

/** Extends the lease and returns whether the caller still holds it. */
export async function keepClaim(
  db: Db,
  { id, token }: { id: string; token: string },
  change: { lease_until: Date; progress: number },
): Promise<boolean> {
  const result = await db
    .updateTable('rehearsals')
    .set(change)
    .where('id', '=', id)
    .where('token', '=', token)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Stores the result and deletes older ones with the names they contain. */
export async function finishForecast(
  trx: Trx,
  { id, token, now }: { id: string; token: string; now: Date },
  tally: Tally,
  wall: Date,
): Promise<void> {
  const drained = drainWaves([...tally.waves.values()], tally.pool, now);
  const result: ForecastResult = {
    hours: tally.hours.map(({ texts, parts }, hour) => ({ texts, parts, ...drained[hour]! })),
    days: tally.days,
    skips: await countSkips(trx, id),
    paused: tally.pool.senders.flatMap(({ state, number }) => (state === 'paused' ? number : [])),
  };
  const finished = await trx
    .updateTable('rehearsals')
    .set({ result: JSON.stringify(result), finished_at: wall, progress: 100, lease_until: null })
    .where('id', '=', id)
    .where('token', '=', token)
    .executeTakeFirst();
  if (finished.numUpdatedRows === 1n)
    await trx
      .deleteFrom('rehearsals')
      .where('id', '<>', id)
      .where('finished_at', 'is not', null)
      .execute();
}

export async function saveSkips(db: Db, forecastId: string, skips: Skip[]): Promise<void> {
  if (skips.length === 0) return;
  await sql`insert into rehearsal_skips (rehearsal_id, key, user_id, due_at)
    select ${forecastId}::uuid, key, user_id, min(due_at)
    from unnest(${skips.map((one) => one.key)}::text[], ${skips.map((one) => one.user_id)}::uuid[],
      ${skips.map((one) => one.due_at)}::timestamptz[]) as skips (key, user_id, due_at)
    group by key, user_id
    on conflict (rehearsal_id, key, user_id) do update
      set due_at = least(rehearsal_skips.due_at, excluded.due_at)`.execute(db);
}

async function countSkips(db: Db, forecastId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('rehearsal_skips')
    .select((select) => ['key', select.fn.countAll<number>().as('people')])
    .where('rehearsal_id', '=', forecastId)
    .groupBy('key')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.key, row.people]));
}

export function findSkips(
  db: Db,
  forecastId: string,
  { key, after, limit }: { key: string; after: string | undefined; limit: number },
): Promise<{ user_id: string; due_at: Date }[]> {
  return db
    .selectFrom('rehearsal_skips')
    .select(['user_id', 'due_at'])
    .where('rehearsal_id', '=', forecastId)
    .where('key', '=', key)
    .$if(after !== undefined, (query) => query.where('user_id', '>', after ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

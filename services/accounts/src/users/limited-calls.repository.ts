import type { Trx } from '../database.ts';
import type { LimitedCallsTable } from './users.table.ts';

/**
 * Counts a call of a locked user, so concurrent calls are counted one by one. Returns whether it is within `atMost`
 * calls per `withinMs`.
 */
export async function admitCall(
  trx: Trx,
  one: Pick<LimitedCallsTable, 'user_id' | 'call'>,
  limit: { atMost: number; withinMs: number; now: Date },
): Promise<boolean> {
  const since = new Date(limit.now.getTime() - limit.withinMs);
  const ownCalls = trx
    .deleteFrom('limited_calls')
    .where('user_id', '=', one.user_id)
    .where('call', '=', one.call);
  await ownCalls.where('called_at', '<=', since).execute();
  const { count } = await trx
    .selectFrom('limited_calls')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', one.user_id)
    .where('call', '=', one.call)
    .executeTakeFirstOrThrow();
  if (count >= limit.atMost) return false;
  await trx
    .insertInto('limited_calls')
    .values({ ...one, called_at: limit.now })
    .execute();
  return true;
}

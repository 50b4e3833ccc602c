import type { FailedSource } from '@daylift/events/failed/failed-source';
import type { BillingDatabase, Db } from '../database.ts';

/** Left in `error` of a discarded task. */
const discarded = 'discarded by an admin';

function open(db: Db, type: string | undefined) {
  const tasks = db.selectFrom('provider_tasks').where('parked_at', 'is not', null);
  return type === undefined ? tasks : tasks.where('kind', '=', type);
}

/** Tasks at the payment provider that failed five times while it was reachable. */
export const failedTasks: FailedSource<BillingDatabase> = {
  kind: 'task',
  async list(db, only) {
    const tasks = await open(db, only.type)
      .selectAll()
      .orderBy('parked_at')
      .orderBy('kind')
      .orderBy('subject')
      .limit(only.limit)
      .execute();
    return tasks.map(({ kind, subject, tries, error, parked_at, next_try_at }) => ({
      key: `${kind}.${subject}`,
      type: kind,
      parked_at: parked_at ?? next_try_at,
      tries,
      error: error ?? '',
      payload: { subject },
      user_id: null,
    }));
  },
  async count(db, only) {
    const { count } = await open(db, only.type)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  },
  async lock(trx, key) {
    const task = await trx
      .selectFrom('provider_tasks')
      .select(['parked_at', 'done_at', 'error'])
      .where((where) => where.and(partsOf(key)))
      .forUpdate()
      .executeTakeFirst();
    if (task === undefined) return null;
    if (task.parked_at !== null) return 'parked';
    return task.done_at !== null && task.error === discarded ? 'discarded' : 'replayed';
  },
  async replay(trx, key, now) {
    await trx
      .updateTable('provider_tasks')
      .set({ parked_at: null, tries: 0, next_try_at: now, claimed_until: null })
      .where((where) => where.and(partsOf(key)))
      .execute();
  },
  async discard(trx, key, now) {
    await trx
      .updateTable('provider_tasks')
      .set({ parked_at: null, done_at: now, error: discarded })
      .where((where) => where.and(partsOf(key)))
      .execute();
  },
};

function partsOf(key: string): { kind: string; subject: string } {
  const dot = key.indexOf('.');
  return { kind: key.slice(0, dot), subject: key.slice(dot + 1) };
}

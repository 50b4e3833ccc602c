import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { BillingDatabase, Db, ProviderTasksTable } from '../database.ts';

/**
 * Work at the provider, outside any transaction. `sync_*` and `fulfil_checkout` read an object again and store it; the
 * others change something there.
 */
export type TaskKind =
  | 'fulfil_checkout'
  | 'sync_subscription'
  | 'sync_customer'
  | 'sync_invoice'
  | 'sync_refund'
  | 'sync_charge_refunds'
  | 'sync_dispute'
  | 'settle_hold'
  | 'explain_difference'
  | 'announce_trial'
  | 'announce_first_charge'
  | 'end_trial'
  | 'apply_renewal'
  | 'apply_free_time'
  | 'remind_of_payment'
  | 'retry_payment'
  | 'finish_plan_change'
  | 'follow_price_change'
  | 'settle_referral'
  | 'settle_lost_days'
  | 'staff_action'
  | 'sync_promotion'
  | 'fulfill_gift'
  | 'settle_gift'
  | 'erase_gift'
  | 'cancel_subscription'
  | 'cancel_duplicate'
  | 'cancel_and_refund'
  | 'update_customer'
  | 'erase_customer'
  | 'expire_session';

export type Task = Selectable<ProviderTasksTable>;

/** Enough for a provider call with its retries; a slower task is taken over by the next run. */
const leaseMs = 60_000;

/** Enqueues a task. One that is waiting, running, done or failed runs again. */
export async function enqueueTask(
  db: Db,
  kind: TaskKind,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  await insertTasks(db, kind, subjects, now)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).doUpdateSet({
        asks: sql`provider_tasks.asks + 1`,
        next_try_at: now,
        tries: 0,
        // A repeated task is a new action, so it gets a new key at the provider.
        attempt: sql`case when provider_tasks.done_at is null then provider_tasks.attempt else provider_tasks.attempt + 1 end`,
        done_at: null,
        parked_at: null,
        error: null,
      }),
    )
    .execute();
}

/** Enqueues tasks that don't exist yet: one that has failed or was discarded stays so. */
export async function enqueueTaskOnce(
  db: Db,
  kind: TaskKind,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  await insertTasks(db, kind, subjects, now)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const insertTasks = (db: Db, kind: TaskKind, subjects: readonly string[], now: Date) =>
  db
    .insertInto('provider_tasks')
    .values([...new Set(subjects)].sort().map((subject) => ({ kind, subject, next_try_at: now })));

/** Returns whether the task is still to be done, or has failed. */
export async function isTaskQueued(db: Db, kind: TaskKind, subject: string): Promise<boolean> {
  const open = await db
    .selectFrom('provider_tasks')
    .select('kind')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('done_at', 'is', null)
    .executeTakeFirst();
  return open !== undefined;
}

/** Moves a task that is due after an instant. */
export async function moveTask(
  db: Db,
  kind: TaskKind,
  subject: string,
  { dueAfter, to }: { dueAfter: Date; to: Date },
): Promise<void> {
  await db
    .updateTable('provider_tasks')
    .set({ next_try_at: to })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('done_at', 'is', null)
    .where('next_try_at', '>', dueAfter)
    .execute();
}

/** SQL condition: the task is still to be done and hasn't failed. `subject` is a column. */
export const isTaskRunning = (kind: TaskKind, subject: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from provider_tasks where kind = ${kind}
    and subject = ${sql.ref(subject)}::text and done_at is null and parked_at is null)`;

/** Claims due tasks of these kinds. Others, of a newer version during an upgrade, wait for its processes. */
export async function claimTasks(
  db: Db,
  now: Date,
  { kinds, limit }: { kinds: string[]; limit: number },
): Promise<Task[]> {
  const wall = new Date();
  return db
    .updateTable('provider_tasks')
    .set({ claimed_until: new Date(wall.getTime() + leaseMs) })
    .where((where) =>
      where(
        where.refTuple('kind', 'subject'),
        'in',
        where
          .selectFrom('provider_tasks')
          .select(['kind', 'subject'])
          .where('kind', 'in', kinds)
          .where('done_at', 'is', null)
          .where('parked_at', 'is', null)
          .where('next_try_at', '<=', now)
          .where((lease) =>
            lease.or([lease('claimed_until', 'is', null), lease('claimed_until', '<', wall)]),
          )
          .orderBy('next_try_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('kind', 'subject'),
      ),
    )
    .returningAll()
    .execute();
}

/** Marks a task as done, unless it was enqueued again while it ran. */
export async function finishTask(db: Db, task: Task, now: Date): Promise<void> {
  await db
    .updateTable('provider_tasks')
    .set({
      claimed_until: null,
      tries: 0,
      error: null,
      done_at: sql`case when asks = ${task.asks} then ${now}::timestamptz end`,
      attempt: sql`case when asks = ${task.asks} then attempt else attempt + 1 end`,
    })
    .where('kind', '=', task.kind)
    .where('subject', '=', task.subject)
    .execute();
}

export interface FailedTry {
  error: string;
  tries: number;
  attempt: number;
  nextTryAt: Date;
  failedAt: Date | null;
}

export async function recordFailedTry(db: Db, task: Task, failed: FailedTry): Promise<void> {
  await db
    .updateTable('provider_tasks')
    .set({
      claimed_until: null,
      error: failed.error,
      tries: failed.tries,
      attempt: failed.attempt,
      next_try_at: failed.nextTryAt,
      parked_at: failed.failedAt,
    })
    .where('kind', '=', task.kind)
    .where('subject', '=', task.subject)
    .execute();
}

export async function countDueTasks(db: Db, now: Date, kinds: string[]): Promise<number> {
  const row = await db
    .selectFrom('provider_tasks')
    .select((select) => select.fn.countAll<number>().as('due'))
    .where('kind', 'in', kinds)
    .where('done_at', 'is', null)
    .where('parked_at', 'is', null)
    .where('next_try_at', '<=', now)
    .executeTakeFirstOrThrow();
  return row.due;
}

/** Stripe forgets idempotency keys after a day. The nightly comparison must not enqueue a discarded difference again. */
export const doneTasks: Cleanup<BillingDatabase> = {
  table: 'provider_tasks',
  column: 'done_at',
  keptMs: 3 * dayMs,
  only: () => sql`(kind <> 'explain_difference' or error is null)`,
};

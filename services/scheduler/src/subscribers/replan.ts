import type { Kysely, Transaction } from 'kysely';
import { planAnnouncementsOf } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import { cancelPlanned, lastTakenDate } from '../dispatches/dispatches.repository.ts';
import {
  firstLocalDate,
  isPlannable,
  type NextText,
  nextTextFrom,
  type Plannable,
  sameSlot,
} from './next-text.ts';
import { updateSubscriber } from './subscribers.repository.ts';
import type { Subscriber } from './subscribers.table.ts';

interface Plan {
  first_local_date: string;
  next: NextText;
}

/**
 * What a change of a subscriber does to their plan; null: nothing. Reads only, so that whoever asks beforehand what a
 * change would do is told what it does. If today's text already went, the next is tomorrow; if today's new hour is still
 * ahead and nothing went, today.
 */
export async function foresee(
  db: Kysely<SchedulerDatabase>,
  before: Subscriber,
  after: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<(Plan & { withdraws: boolean }) | null> {
  // Of somebody who may no longer get texts, what is planned already stays: it will be skipped with its reason.
  if (!isPlannable(after)) return null;
  const withdraws = !sameSlot(before, after);
  if (isPlannable(before) && !withdraws) return null;
  const taken = await lastTakenDate(db, after.user_id, { asIfWithdrawn: withdraws });
  return { withdraws, ...planFrom(after, taken, now, spreadMs) };
}

/**
 * Brings the plan of one subscriber in line after something about them changed; `after` is the row as it is now. A text
 * that sms-gateway has already is decided there: it answers `superseded` if it no longer fits.
 */
export async function replan(
  trx: Transaction<SchedulerDatabase>,
  before: Subscriber,
  after: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<void> {
  const plan = await foresee(trx, before, after, now, spreadMs);
  if (plan === null) return;
  if (plan.withdraws) await cancelPlanned(trx, after.user_id, 'daily');
  const planned = await keepPlan(trx, after.user_id, plan);
  await planAnnouncementsOf(trx, planned, now, { withdraw: before.timezone !== after.timezone });
}

/** Computes the next text of a plannable subscriber from now on and stores it. */
export async function planNext(
  trx: Transaction<SchedulerDatabase>,
  subscriber: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<void> {
  if (!isPlannable(subscriber)) return;
  const taken = await lastTakenDate(trx, subscriber.user_id);
  await keepPlan(trx, subscriber.user_id, planFrom(subscriber, taken, now, spreadMs));
}

function planFrom(subscriber: Plannable, taken: string | null, now: Date, spreadMs: number): Plan {
  // Until something went, the first date follows the zone; then it stays, and with it a weekly subscriber's weekday.
  const first_local_date =
    taken !== null && subscriber.first_local_date !== null
      ? subscriber.first_local_date
      : firstLocalDate(subscriber.entitled_since, subscriber.timezone);
  const next = nextTextFrom({ ...subscriber, first_local_date }, taken, now, spreadMs);
  return { first_local_date, next };
}

function keepPlan(
  trx: Transaction<SchedulerDatabase>,
  userId: string,
  { first_local_date, next }: Plan,
): Promise<Subscriber> {
  return updateSubscriber(trx, userId, {
    first_local_date,
    next_local_date: next.local_date,
    next_due_at: next.due_at,
  });
}

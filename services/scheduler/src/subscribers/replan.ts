import type { Transaction } from 'kysely';
import { planAnnouncementsOf } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import { lastTakenDate, withdrawPlanned } from '../dispatches/dispatches.repository.ts';
import { firstLocalDate, isPlannable, nextTextFrom, sameSlot } from './next-text.ts';
import { updateSubscriber } from './subscribers.repository.ts';
import type { Subscriber } from './subscribers.table.ts';

/**
 * Brings the plan of one subscriber in line after something about them changed; `after` is the row as it is now. If
 * today's text already went, the next is tomorrow; if today's new hour is still ahead and nothing went, today. A text
 * that sms-gateway has already is decided there: it answers `superseded` if it no longer fits.
 */
export async function replan(
  trx: Transaction<SchedulerDatabase>,
  before: Subscriber,
  after: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<void> {
  // Of somebody who may no longer get texts, what is planned already stays: it will be skipped with its reason.
  if (!isPlannable(after)) return;
  const moved = !sameSlot(before, after);
  if (isPlannable(before) && !moved) return;
  if (moved) await withdrawPlanned(trx, after.user_id, 'daily');
  const planned = await planNext(trx, after, now, spreadMs);
  await planAnnouncementsOf(trx, planned, now, { withdraw: before.timezone !== after.timezone });
}

/** Computes the next text of a plannable subscriber from now on and stores it. */
export async function planNext(
  trx: Transaction<SchedulerDatabase>,
  subscriber: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<Subscriber> {
  if (!isPlannable(subscriber)) return subscriber;
  const taken = await lastTakenDate(trx, subscriber.user_id);
  // Until something went, the first date follows the zone; then it stays, and with it a weekly subscriber's weekday.
  const first_local_date =
    taken !== null && subscriber.first_local_date !== null
      ? subscriber.first_local_date
      : firstLocalDate(subscriber.entitled_since, subscriber.timezone);
  const next = nextTextFrom({ ...subscriber, first_local_date }, taken, now, spreadMs);
  return updateSubscriber(trx, subscriber.user_id, {
    first_local_date,
    next_local_date: next.local_date,
    next_due_at: next.due_at,
  });
}

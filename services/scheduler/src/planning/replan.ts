import type { Kysely, Transaction } from 'kysely';
import { planAnnouncementsOf } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import {
  cancelAnnouncements,
  cancelPlanned,
  lastTakenDate,
} from '../dispatches/dispatches.repository.ts';
import {
  firstLocalDate,
  isPlannable,
  type NextText,
  nextTextFrom,
  type Plannable,
  sameSlot,
} from '../subscribers/next-text.ts';
import { updateSubscriber } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

interface Plan {
  first_local_date: string;
  next: NextText;
}

/**
 * Returns how a subscriber's change affects their plan, or null if it doesn't. Read-only, so a preview shows exactly
 * what a change will do. If today's text was sent, the next one is tomorrow; if today's new hour is ahead and nothing
 * was sent, today.
 */
export async function planChange(
  db: Kysely<SchedulerDatabase>,
  before: Subscriber,
  after: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<(Plan & { withdraws: boolean }) | null> {
  // With the same choices, texts already planned for someone no longer entitled stay, to be skipped with their reason.
  if (!isPlannable(after)) return null;
  const withdraws = !sameSlot(before, after);
  if (isPlannable(before) && !withdraws) return null;
  const taken = await lastTakenDate(db, after.user_id, { asIfWithdrawn: withdraws });
  return { withdraws, ...planFrom(after, taken, now, spreadMs) };
}

/**
 * Updates one subscriber's plan after a change; `after` is the current row. A text already at sms-gateway is decided
 * there: it responds `superseded` if the text no longer fits.
 */
export async function replan(
  trx: Transaction<SchedulerDatabase>,
  before: Subscriber,
  after: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<void> {
  const plan = await planChange(trx, before, after, now, spreadMs);
  const hasMoved = before.timezone !== after.timezone;
  // While they may get no texts, too: the old plan would take its date, and the old zone's hour, once they may again.
  if (!sameSlot(before, after)) await cancelPlanned(trx, after.user_id, 'daily');
  if (plan === null) {
    if (hasMoved) await cancelAnnouncements(trx, after.user_id);
    return;
  }
  const planned = await keepPlan(trx, after.user_id, plan);
  await planAnnouncementsOf(trx, planned, now, { withdraw: hasMoved });
}

/** Computes and stores a planned subscriber's next text. */
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
  // Until the first text is sent, the first date follows the zone; then it is fixed, and a weekly subscriber's weekday
  // with it.
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

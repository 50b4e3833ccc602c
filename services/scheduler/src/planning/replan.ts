import { isQuietHours, localDateAt, morningOf } from '@daylift/delivery/send-windows';
import type { Kysely, Transaction } from 'kysely';
import { planAnnouncementsOf } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import {
  cancelAnnouncements,
  cancelPlanned,
  findHeldTexts,
  type HeldText,
  lastTakenDate,
  moveHeldTexts,
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
): Promise<(Plan & { withdraws: boolean; held: HeldText | undefined }) | null> {
  // With the same choices, texts already planned for someone no longer entitled stay, to be skipped with their reason.
  if (!isPlannable(after)) return null;
  const withdraws = !sameSlot(before, after);
  if (isPlannable(before) && !withdraws) return null;
  const sent = await lastTakenDate(db, after.user_id, { withoutPlanned: withdraws });
  const held = withdraws ? await heldAfter(db, before, after, now) : [];
  const daily = held.filter(({ kind }) => kind === 'daily');
  const taken = [sent, ...daily.map((one) => one.local_date)].filter((one) => one !== null);
  const plan = planFrom(after, taken.toSorted().at(-1) ?? null, now, spreadMs);
  return { withdraws, held: daily[0], ...plan };
}

/**
 * Returns what manual sends still hold after a change. In another zone that is until its morning, or no longer if that
 * has passed, unless quiet hours or another date have begun there.
 */
async function heldAfter(
  db: Kysely<SchedulerDatabase>,
  before: Subscriber,
  { user_id, timezone }: Subscriber,
  now: Date,
): Promise<HeldText[]> {
  const held = await findHeldTexts(db, user_id);
  if (timezone === null || timezone === before.timezone) return held;
  const canGoNow = ({ local_date }: HeldText) =>
    localDateAt(now, timezone) === local_date && !isQuietHours(now, timezone);
  return held.flatMap((one) => {
    const morning = morningOf(one.local_date, timezone);
    if (morning > now) return { ...one, due_at: morning };
    return canGoNow(one) ? { ...one, due_at: now } : [];
  });
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
  const { timezone } = after;
  const hasMoved = before.timezone !== timezone;
  // While they may get no texts, too: the old plan would take its date, and the old zone's hour, once they may again.
  if (!sameSlot(before, after)) await cancelPlanned(trx, after.user_id, 'daily');
  if (hasMoved && timezone !== null)
    await moveHeldTexts(trx, after.user_id, timezone, await heldAfter(trx, before, after, now));
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

import type {
  NextText as NextTextAnswer,
  NextTextPreviewRequest,
} from '@daylift/contracts/scheduler.http';
import { dayAfter } from '@daylift/delivery/next-date';
import { localDateAt } from '@daylift/delivery/send-windows';
import { canonicalTimeZone } from '@daylift/server/time-zone';
import type { SchedulerDeps } from '../deps.ts';
import { lastTakenDate } from '../dispatches/dispatches.repository.ts';
import { UnknownTimeZone, WeekdayWithoutWeekly } from '../errors.ts';
import { planChange } from '../planning/replan.ts';
import { isPlannable, type NextText, nextTextFrom } from '../subscribers/next-text.ts';
import { findSubscriber } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { describeNextText } from './describe-next-text.ts';
import { findPlannedText } from './next-text.repository.ts';

type Deps = Pick<SchedulerDeps, 'db' | 'clock' | 'spreadMs'>;

export async function readNextText(deps: Deps, userId: string): Promise<NextTextAnswer> {
  const subscriber = await findSubscriber(deps.db, userId);
  const next = subscriber === undefined ? null : await findNext(deps, subscriber);
  return describeNextText(subscriber, next, deps.clock.now(), deps.spreadMs);
}

/** Returns the next text as if these settings were saved, using the function that applies them. */
export async function previewNextText(
  deps: Deps,
  userId: string,
  request: NextTextPreviewRequest,
): Promise<NextTextAnswer> {
  const now = deps.clock.now();
  const before = await findSubscriber(deps.db, userId);
  const after = withSettings(before, request, now);
  if (before === undefined || after === undefined)
    return describeNextText(undefined, null, now, deps.spreadMs);
  const change = await planChange(deps.db, before, after, now, deps.spreadMs);
  if (change === null)
    return describeNextText(after, await findNext(deps, before), now, deps.spreadMs);
  const planned = change.withdraws ? change.held : await findPlannedText(deps.db, userId);
  const { first_local_date, next } = change;
  return describeNextText({ ...after, first_local_date }, planned ?? next, now, deps.spreadMs);
}

/** A manual send may have taken the date that the planner has yet to reach. */
export async function findNext(
  { db, clock, spreadMs }: Deps,
  subscriber: Subscriber,
): Promise<NextText | null> {
  const { user_id, next_local_date, next_due_at, first_local_date } = subscriber;
  const planned = await findPlannedText(db, user_id);
  if (planned !== undefined) return planned;
  if (next_local_date === null || next_due_at === null) return null;
  const taken = await lastTakenDate(db, user_id);
  if (taken === null || taken < next_local_date)
    return { local_date: next_local_date, due_at: next_due_at };
  if (!isPlannable(subscriber) || first_local_date === null) return null;
  return nextTextFrom({ ...subscriber, first_local_date }, taken, clock.now(), spreadMs);
}

/** Returns the row as it would be after accounts published the settings. */
function withSettings(
  before: Subscriber | undefined,
  request: NextTextPreviewRequest,
  now: Date,
): Subscriber | undefined {
  const timezone = request.timezone === undefined ? null : canonicalTimeZone(request.timezone);
  if (request.timezone !== undefined && timezone === null) throw new UnknownTimeZone();
  const frequency = request.delivery_frequency ?? before?.frequency ?? null;
  if (request.delivery_weekday !== undefined && frequency !== 'weekly')
    throw new WeekdayWithoutWeekly();
  if (before === undefined || before.timezone === null) return undefined;
  const after: Subscriber = { ...before, timezone: timezone ?? before.timezone, frequency };
  if (request.delivery_time !== undefined)
    after.delivery_hour = Number(request.delivery_time.slice(0, 2));
  if (request.delivery_enabled !== undefined) after.delivery_enabled = request.delivery_enabled;
  if (request.paused_until !== undefined) after.paused_until = request.paused_until;
  after.weekday = request.delivery_weekday ?? weekdayOf(before, after, now);
  return after;
}

/** Same rule as in accounts: a weekly subscriber keeps the weekday, a new one gets tomorrow's. */
function weekdayOf(before: Subscriber, after: Subscriber, now: Date): number | null {
  if (after.frequency !== 'weekly') return null;
  if (before.frequency === 'weekly' && before.weekday !== null) return before.weekday;
  const tomorrow = dayAfter(localDateAt(now, after.timezone ?? 'UTC'));
  return Temporal.PlainDate.from(tomorrow).dayOfWeek;
}

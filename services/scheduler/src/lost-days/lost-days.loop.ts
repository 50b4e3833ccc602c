import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import { type LostDay, schedulerEvents } from '@daylift/contracts/scheduler.events';
import type { UndeliveredGroup } from '@daylift/contracts/undelivered.http';
import { isLostDay } from '@daylift/delivery/lost-days';
import { dayAfter, nextLocalDate } from '@daylift/delivery/next-date';
import { publish } from '@daylift/events/publish';
import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { findSubscribers } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { findEndedGroups, findPage } from '../undelivered/read-undelivered.ts';
import type { UndeliveredRow } from '../undelivered/undelivered.repository.ts';
import { claimProgress, releaseProgress, rememberStart } from './lost-days.repository.ts';

/** A date ends last at UTC-12. Until three days after that, a receipt may show that a text arrived. */
const settledAfterMs = 36 * hourMs + 3 * dayMs;
const leaseMs = 5 * minuteMs;
const pageSize = 100;

/** Publishes each date's lost days once its outcomes are settled, date by date. */
export const lostDaysLoop = (deps: SchedulerDeps): Loop => ({
  name: 'lost-days',
  everyMs: 60_000,
  run: () => publishNextDate(deps),
});

const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

async function publishNextDate(deps: SchedulerDeps): Promise<number> {
  const { db, clock } = deps;
  const settled = clock.now().getTime() - settledAfterMs;
  await rememberStart(db, dateOf(settled - dayMs));
  const before = await claimProgress(db, dateOf(settled), leaseMs);
  if (before === null) return 0;
  let reached = before;
  try {
    await publishDate(deps, dayAfter(before));
    reached = dayAfter(before);
  } finally {
    await releaseProgress(db, before, reached);
  }
  return 1;
}

async function publishDate(deps: SchedulerDeps, date: string): Promise<void> {
  const { groups } = await findEndedGroups(deps, date, 'daily');
  for (const group of groups.filter((one) => isLostDay(one.outcome, one.reason)))
    await publishGroup(deps, date, group);
}

async function publishGroup(
  deps: SchedulerDeps,
  date: string,
  group: UndeliveredGroup,
): Promise<void> {
  let after: string | null = null;
  do {
    const page: UndeliveredRow[] = await findPage(deps, group.key, {
      date,
      after,
      limit: pageSize,
    });
    const days = await lostDaysOf(deps, page, date, group);
    if (days.length > 0)
      await deps.db
        .transaction()
        .execute((trx) =>
          publish(trx, schedulerEvents, 'scheduler.days.lost', { days }, deps.clock.now()),
        );
    after = page.length < pageSize ? null : (page.at(-1)?.user_id ?? null);
  } while (after !== null);
}

async function lostDaysOf(
  { db }: SchedulerDeps,
  rows: UndeliveredRow[],
  local_date: string,
  { outcome, reason }: UndeliveredGroup,
): Promise<LostDay[]> {
  const real = rows.filter((row) => !row.is_test);
  const manual = real.filter((row) => row.frequency === null).map((row) => row.user_id);
  const recipients = manual.length === 0 ? [] : await findSubscribers(db, manual);
  return real.flatMap(({ user_id, due_at, frequency: planned }) => {
    const recipient = recipients.find((one) => one.user_id === user_id);
    const frequency = planned ?? frequencyIfDue(recipient, local_date);
    if (frequency === null) return [];
    const outcomeOf = outcome as LostDay['outcome'];
    return [
      { user_id, local_date, due_at: due_at.toISOString(), frequency, outcome: outcomeOf, reason },
    ];
  });
}

/** A manual send replaces the text of the day, and is an extra one for weekly subscribers on other weekdays. */
function frequencyIfDue(
  recipient: Subscriber | undefined,
  date: string,
): LostDay['frequency'] | null {
  const { frequency, weekday, first_local_date, timezone } = recipient ?? {};
  if (!frequency || !first_local_date || !timezone) return null;
  const cadence = { frequency, weekday: weekday ?? null, first_local_date, timezone };
  return nextLocalDate(cadence, date) === date ? frequency : null;
}

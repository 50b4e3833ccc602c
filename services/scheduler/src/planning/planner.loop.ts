import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { countDue, type NewDispatch, planDispatches } from '../dispatches/dispatches.repository.ts';
import { horizonMs } from '../dispatches/horizon.ts';
import { isPlannable, textAfter } from '../subscribers/next-text.ts';
import {
  claimDueSubscribers,
  countDueSubscribers,
  earliestNextText,
  moveNextTexts,
} from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

const claimSize = 500;
type Deps = Pick<SchedulerDeps, 'db' | 'clock' | 'spreadMs'>;

/** Plans texts due within the next two hours. The cost depends on those subscribers, not on all. */
export function planDispatchesLoop(deps: Deps): Loop {
  return {
    name: 'plan-dispatches',
    everyMs: 10_000,
    run: () => planDueSubscribers(deps),
    pending: () => countDueSubscribers(deps.db, deps.clock.now()),
    nextAt: () => earliestNextText(deps.db),
  };
}

/**
 * Plans some of the subscribers due soon, and moves them on to their next date. While texts are due, only those due in
 * half the time: at the full hour, planning a later hour would slow down the texts of this one.
 */
export async function planDueSubscribers({ db, clock, spreadMs }: Deps): Promise<number> {
  const now = clock.now();
  const isReleasing = (await countDue(db, now, 1)) > 0;
  const horizon = new Date(now.getTime() + (isReleasing ? horizonMs / 2 : horizonMs));
  return db.transaction().execute(async (trx) => {
    const due = await claimDueSubscribers(trx, horizon, claimSize);
    if (due.length === 0) return 0;
    await planDispatches(trx, due.map(dispatchOf));
    await moveNextTexts(
      trx,
      due.map((one) => ({ user_id: one.user_id, ...following(one, spreadMs) })),
    );
    return due.length;
  });
}

/** Returns the dispatch for a subscriber's next text. */
export function dispatchOf(subscriber: Subscriber): NewDispatch {
  const { user_id, next_local_date, next_due_at, timezone } = subscriber;
  if (next_local_date === null || next_due_at === null || timezone === null)
    throw new Error('claimed subscriber has no next text');
  const { delivery_hour, frequency, weekday } = subscriber;
  return {
    user_id,
    local_date: next_local_date,
    kind: 'daily',
    due_at: next_due_at,
    timezone,
    delivery_hour,
    frequency,
    weekday,
  };
}

/** Returns the text after that. */
export function following(subscriber: Subscriber, spreadMs: number) {
  const { first_local_date, next_local_date } = subscriber;
  if (!isPlannable(subscriber) || first_local_date === null || next_local_date === null)
    throw new Error('claimed subscriber is not plannable');
  return textAfter({ ...subscriber, first_local_date }, next_local_date, spreadMs);
}

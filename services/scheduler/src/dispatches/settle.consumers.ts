import { minuteMs } from '@daylift/clock/durations';
import type { TextSettled } from '@daylift/contracts/sms.events';
import type { Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { sameSlot } from '../subscribers/next-text.ts';
import { planNext } from '../subscribers/replan.ts';
import { lockOrCreateSubscriber } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { cancelPlanned, planDispatches, settleDispatch } from './dispatches.repository.ts';
import type { Dispatch } from './dispatches.table.ts';

type Trx = Transaction<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'clock' | 'spreadMs'>;

/** Takes over how a text ended; texts of which the scheduler has no dispatch (a welcome) are let pass. */
export const textSettled = (deps: Deps) => async (trx: Trx, data: TextSettled) => {
  const settled = { ...data, settled_at: new Date(data.settled_at) };
  if (data.outcome !== 'superseded' && !data.is_test) {
    await settleDispatch(trx, settled);
    return;
  }
  // First the subscriber, then their dispatches: the order of everything that plans anew.
  const subscriber = await lockOrCreateSubscriber(trx, data.user_id);
  const dispatch = await settleDispatch(trx, settled);
  if (dispatch === undefined || dispatch.kind !== 'daily') return;
  const now = deps.clock.now();
  // Went to the test number: whoever's hour is still ahead gets the text of the day then.
  if (data.is_test) return planDateAnew(trx, subscriber, now, deps.spreadMs);
  if (dispatch.delivery_hour === null) return;
  if (sameSlot(dispatch, subscriber)) await tryAgain(trx, dispatch, now);
  else await planDateAnew(trx, subscriber, now, deps.spreadMs);
};

/** Nothing went for the date: it is planned anew if its new hour is still ahead. */
async function planDateAnew(
  trx: Trx,
  subscriber: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<void> {
  await cancelPlanned(trx, subscriber.user_id, 'daily');
  await planNext(trx, subscriber, now, spreadMs);
}

/**
 * sms-gateway knows other settings than we do. If its are newer, ours come any moment and plan the date anew; if ours
 * are, it was wrong to refuse, and the same text is handed over again, later each time, while its windows are open.
 */
async function tryAgain(trx: Trx, dispatch: Dispatch, now: Date): Promise<void> {
  const pauseMs = minuteMs * 2 ** Math.min(dispatch.generation - 1, 10);
  await planDispatches(trx, [
    { ...dispatch, due_at: new Date(now.getTime() + pauseMs), scheduled_message_id: null },
  ]);
}

import { minuteMs } from '@daylift/clock/durations';
import type { TextSettled } from '@daylift/contracts/sms.events';
import type { Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import {
  cancelPlanned,
  planDispatches,
  type Settled,
  type SettledDispatch,
  settleDispatches,
} from '../dispatches/dispatches.repository.ts';
import { sameSlot } from '../subscribers/next-text.ts';
import { lockOrCreateSubscriber } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { planNext } from './replan.ts';

type Trx = Transaction<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'clock' | 'spreadMs'>;

/** Stores how texts ended. Transactional texts have no dispatch and are ignored. */
export const textsSettled = (deps: Deps) => async (trx: Trx, results: TextSettled[]) => {
  const settled = results.map((one) => ({ ...one, settled_at: new Date(one.settled_at) }));
  const planned = settled.filter(mayBePlannedAgain);
  // These lock subscribers before their dispatches, like everything that plans, so they come first.
  for (const one of planned.toSorted((a, b) => a.user_id.localeCompare(b.user_id)))
    await settleAndPlan(trx, one, deps);
  await settleDispatches(
    trx,
    settled.filter((one) => !mayBePlannedAgain(one)),
  );
};

const mayBePlannedAgain = ({ outcome, is_test }: Settled) => outcome === 'superseded' || is_test;

async function settleAndPlan(trx: Trx, settled: Settled, deps: Deps): Promise<void> {
  const subscriber = await lockOrCreateSubscriber(trx, settled.user_id);
  const [dispatch] = await settleDispatches(trx, [settled]);
  if (dispatch === undefined || dispatch.kind !== 'daily') return;
  const now = deps.clock.now();
  // It went to the test number: if the subscriber's hour is still ahead, they get the day's text then.
  if (settled.is_test) return planDateAgain(trx, subscriber, now, deps.spreadMs);
  if (dispatch.delivery_hour === null) return;
  if (sameSlot(dispatch, subscriber)) await tryAgain(trx, dispatch, now);
  else await planDateAgain(trx, subscriber, now, deps.spreadMs);
}

/** Nothing was sent for the date, so it is planned again if the new hour is still ahead. */
async function planDateAgain(
  trx: Trx,
  subscriber: Subscriber,
  now: Date,
  spreadMs: number,
): Promise<void> {
  await cancelPlanned(trx, subscriber.user_id, 'daily');
  await planNext(trx, subscriber, now, spreadMs);
}

/**
 * sms-gateway saw other settings. If its settings are newer, ours will follow and plan the date again. If ours are
 * newer, the refusal was wrong, and the same text is released again with backoff while its windows are open.
 */
async function tryAgain(trx: Trx, dispatch: SettledDispatch, now: Date): Promise<void> {
  const pauseMs = minuteMs * 2 ** Math.min(dispatch.generation - 1, 10);
  await planDispatches(trx, [
    { ...dispatch, due_at: new Date(now.getTime() + pauseMs), scheduled_message_id: null },
  ]);
}

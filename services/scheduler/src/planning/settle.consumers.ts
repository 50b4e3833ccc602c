import { minuteMs } from '@daylift/clock/durations';
import type { TextSettled } from '@daylift/contracts/sms.events';
import type { Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import {
  findDailyManualTexts,
  planDispatches,
  type Settled,
  type SettledDispatch,
  settleDispatches,
} from '../dispatches/dispatches.repository.ts';
import { sameSlot } from '../subscribers/next-text.ts';
import { lockOrCreateSubscriber } from '../subscribers/subscribers.repository.ts';
import { planNext } from './replan.ts';

type Trx = Transaction<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'clock' | 'spreadMs'>;

/** Stores how texts ended. Transactional texts have no dispatch and are ignored. */
export const textsSettled = (deps: Deps) => async (trx: Trx, results: TextSettled[]) => {
  const settled = results.map((one) => ({ ...one, settled_at: new Date(one.settled_at) }));
  const unsent = settled.filter(({ outcome }) => outcome === 'skipped' || outcome === 'missed');
  const manual = unsent.length === 0 ? new Set() : await findDailyManualTexts(trx, unsent);
  const mayBePlannedAgain = ({ dispatch_id, outcome, is_test }: Settled) =>
    outcome === 'superseded' || is_test || manual.has(dispatch_id);
  const planned = settled.filter(mayBePlannedAgain);
  // These lock subscribers before their dispatches, like everything that plans, so they come first.
  for (const one of planned.toSorted((a, b) => a.user_id.localeCompare(b.user_id)))
    await settleAndPlan(trx, one, deps);
  await settleDispatches(
    trx,
    settled.filter((one) => !mayBePlannedAgain(one)),
  );
};

async function settleAndPlan(trx: Trx, settled: Settled, deps: Deps): Promise<void> {
  const subscriber = await lockOrCreateSubscriber(trx, settled.user_id);
  const [dispatch] = await settleDispatches(trx, [settled]);
  if (dispatch === undefined || dispatch.kind !== 'daily') return;
  const now = deps.clock.now();
  const isManual = dispatch.delivery_hour === null;
  if (!settled.is_test && !isManual && sameSlot(dispatch, subscriber))
    return tryAgain(trx, dispatch, now);
  // Nothing was sent to them for the date, so they get its text at their hour if that is still ahead.
  await planNext(trx, subscriber, now, deps.spreadMs);
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

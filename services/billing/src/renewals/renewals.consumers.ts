import type { Trx } from '../database.ts';
import { hasCancelledSince, isCancelling } from '../plans/plan-changes.repository.ts';
import { enqueueTask, isTaskQueued } from '../provider-tasks/provider-tasks.repository.ts';
import {
  lockSubscription,
  type Subscription,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';

/** STOP by text ends the renewal, unless the subscriber has already canceled. */
export async function stopRenewal(
  trx: Trx,
  reply: { user_id: string; at: string },
  now: Date,
): Promise<void> {
  const row = await lockForReply(trx, reply);
  if (row === null) return;
  const at = new Date(reply.at);
  const stops = row.stopped_at !== null || !(await wasCanceledBySubscriber(trx, row));
  await updateSubscription(trx, row.user_id, {
    last_reply_at: at,
    stopped_at: stops ? (row.stopped_at ?? at) : null,
    restored_at: null,
  });
  if (stops) await enqueueTask(trx, 'apply_renewal', [row.user_id], now);
}

/** START within the period restores only what STOP ended. */
export async function restoreRenewal(
  trx: Trx,
  reply: { user_id: string; at: string },
  now: Date,
): Promise<void> {
  const row = await lockForReply(trx, reply);
  if (row === null) return;
  const at = new Date(reply.at);
  const restores = row.stopped_at !== null;
  await updateSubscription(trx, row.user_id, {
    last_reply_at: at,
    stopped_at: null,
    ...(restores && { restored_at: at }),
  });
  if (restores) await enqueueTask(trx, 'apply_renewal', [row.user_id], now);
}

/** Returns the row if it is live and has no later reply. */
async function lockForReply(
  trx: Trx,
  reply: { user_id: string; at: string },
): Promise<Subscription | null> {
  const row = await lockSubscription(trx, reply.user_id);
  if (row === undefined || !row.is_live) return null;
  const isOld = row.last_reply_at !== null && new Date(reply.at) <= row.last_reply_at;
  return isOld ? null : row;
}

/** A cancellation lifted by START is still visible until the provider knows of it. */
async function wasCanceledBySubscriber(trx: Trx, row: Subscription): Promise<boolean> {
  if (await isCancelling(trx, row.user_id)) return true;
  if (!row.cancel_at_period_end) return false;
  const isRestoring =
    row.restored_at !== null &&
    (await isTaskQueued(trx, 'apply_renewal', row.user_id)) &&
    !(await hasCancelledSince(trx, row.user_id, row.restored_at));
  return !isRestoring;
}

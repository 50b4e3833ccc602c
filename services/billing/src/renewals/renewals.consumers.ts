import type { Transaction } from 'kysely';
import type { BillingDatabase } from '../database.ts';
import { askFor, isAskedFor } from '../provider-tasks/provider-tasks.repository.ts';
import {
  lockSubscription,
  type Subscription,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';

type Trx = Transaction<BillingDatabase>;

/** STOP by text ends the renewal, unless the subscriber has cancelled already: that stays theirs. */
export async function stopRenewal(
  trx: Trx,
  reply: { user_id: string; at: string },
  now: Date,
): Promise<void> {
  const row = await lockForReply(trx, reply);
  if (row === null) return;
  const at = new Date(reply.at);
  // What a START has asked for and is not done yet still shows as cancelled, but it is not theirs.
  const stops =
    row.stopped_at !== null ||
    !row.cancel_at_period_end ||
    (await isAskedFor(trx, 'apply_renewal', row.user_id));
  await updateSubscription(trx, row.user_id, {
    last_reply_at: at,
    stopped_at: stops ? (row.stopped_at ?? at) : null,
  });
  if (stops) await askFor(trx, 'apply_renewal', [row.user_id], now);
}

/** START within the period restores what STOP ended, and only that. */
export async function restoreRenewal(
  trx: Trx,
  reply: { user_id: string; at: string },
  now: Date,
): Promise<void> {
  const row = await lockForReply(trx, reply);
  if (row === null) return;
  await updateSubscription(trx, row.user_id, {
    last_reply_at: new Date(reply.at),
    stopped_at: null,
  });
  if (row.stopped_at !== null) await askFor(trx, 'apply_renewal', [row.user_id], now);
}

/** The row that a reply still says something about: live, and of no later reply. */
async function lockForReply(
  trx: Trx,
  reply: { user_id: string; at: string },
): Promise<Subscription | null> {
  const row = await lockSubscription(trx, reply.user_id);
  if (row === undefined || !row.is_live) return null;
  const isOld = row.last_reply_at !== null && new Date(reply.at) <= row.last_reply_at;
  return isOld ? null : row;
}

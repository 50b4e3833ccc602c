import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { changeAccess, giveAccess } from '../staff-actions/free-access.ts';
import { accessUntil, freeTimeEffect } from '../staff-actions/staff-rules.ts';
import { providerIdsOf } from '../subscriptions/subscriptions.actions.ts';
import {
  type Subscription,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';
import { findCheckoutPages } from './gifts.repository.ts';

/** Returns when a gift's time starts: after all other free and paid time, even if the provider doesn't have it yet. */
export const freeFrom = (row: Subscription | undefined, now: Date): Date =>
  new Date(Math.max(now.getTime(), accessUntil(row)?.getTime() ?? 0));

/** Makes a subscriber's texts free until an instant. Returns whether that postpones a charge. */
export async function giveFreeTime(
  trx: Trx,
  { clock }: Pick<BillingDeps, 'clock'>,
  row: Subscription | undefined,
  { user_id, until }: { user_id: string; until: Date },
): Promise<boolean> {
  const now = clock.now();
  // Its page may charge today.
  await enqueueTask(trx, 'expire_session', await findCheckoutPages(trx, user_id), now);
  const effect = freeTimeEffect(row);
  if (row !== undefined && effect === 'next_charge') {
    await updateSubscription(trx, user_id, { comp_until: until });
    await enqueueTask(trx, 'apply_free_time', providerIdsOf(row), now);
    return true;
  }
  // A checkout ends a trial without a card, but not free access.
  if (row !== undefined && effect === 'own_trial')
    await changeAccess(trx, row, { status: 'expired', comp_until: until }, now);
  else await giveAccess(trx, { clock }, { user_id, until });
  return false;
}

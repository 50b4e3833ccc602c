import type { PlanView } from '@daylift/contracts/billing.http';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { NoPriceChange } from '../errors.ts';
import { sendNotice } from '../notices/send-notice.ts';
import {
  findShownChange,
  type ShownChange,
  updateChange,
} from '../price-changes/price-changes.repository.ts';
import { priceAccepted, priceDeclined } from '../price-changes/price-words.ts';
import { findSubscription, isChanging } from '../subscriptions/subscriptions.repository.ts';
import { findPlanView } from './plan-view.ts';
import { changePlan, whenFree } from './plans.actions.ts';

/**
 * Ends the plan instead of renewing it at an announced price, or undoes that. In the last period at the old price it's a
 * cancellation like any other; before, it becomes one when that period starts.
 */
export async function choosePrice(
  deps: BillingDeps,
  userId: string,
  accepts: boolean,
): Promise<PlanView> {
  const action = accepts ? 'undo_cancel' : 'cancel';
  // The change in progress may be applying the price with the earlier choice.
  const change = await whenFree(deps, userId, () => record(deps, userId, accepts));
  if (change.state === 'applied') return changePlan(deps, userId, { action });
  return findPlanView(deps, userId);
}

/** Stores the choice, unless a change is in progress: then it returns null. */
function record(deps: BillingDeps, userId: string, accepts: boolean): Promise<ShownChange | null> {
  return deps.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, userId);
    if (await isChanging(trx, userId)) return null;
    const row = await findSubscription(trx, userId);
    const found = row && (await findShownChange(trx, row));
    if (row === undefined || found === undefined) throw new NoPriceChange();
    const { declined_at } = found;
    if (accepts === (declined_at === null)) return found;
    const now = deps.clock.now();
    // The move was stopped, so if the subscriber accepts, the change is immediately withdrawn by email.
    const isStopped = found.state === 'announced' && found.stopped_at !== null;
    const choice = { declined_at: accepts ? null : now, ...(isStopped && { due_at: now }) };
    if (!(await updateChange(trx, found, choice))) return null;
    // A plan that ends already was confirmed by another email. The choice counts if the end is undone, such as by START.
    if (isStopped || found.state === 'applied' || row.cancel_at_period_end) return found;
    const notice = { ...found, at: found.effective_at };
    const key = `price-choice:${found.move_id}:${userId}:${now.toISOString()}`;
    await sendNotice(trx, deps, userId, key, (to) =>
      accepts ? priceAccepted(to, notice) : priceDeclined(to, notice),
    );
    return found;
  });
}

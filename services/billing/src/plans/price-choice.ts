import { setTimeout as delay } from 'node:timers/promises';
import type { PlanView } from '@daylift/contracts/billing.http';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { NoPriceChange, PlanUnavailable } from '../errors.ts';
import { sendNotice } from '../notices/send-notice.ts';
import {
  findShownChange,
  type ShownChange,
  updateChange,
} from '../price-changes/price-changes.repository.ts';
import { priceAccepted, priceDeclined } from '../price-changes/price-words.ts';
import { findSubscription, isChanging } from '../subscriptions/subscriptions.repository.ts';
import { resumeChange } from './finish-change.ts';
import { findPlanView } from './plan-view.ts';
import { changePlan } from './plans.actions.ts';

const patienceMs = 20_000;
const pollMs = 50;

/**
 * Ends the plan instead of renewing it at an announced price, or undoes that. In the last period at the old price it's a
 * cancellation like any other; before, it becomes one when that period begins.
 */
export async function choosePrice(
  deps: BillingDeps,
  userId: string,
  accepts: boolean,
): Promise<PlanView> {
  const change = await record(deps, userId, accepts);
  if (change.state === 'applied')
    return changePlan(deps, userId, { action: accepts ? 'undo_cancel' : 'cancel' });
  return findPlanView(deps, userId);
}

/** Waits for a change in progress, which may be applying the price with the earlier choice. */
async function record(deps: BillingDeps, userId: string, accepts: boolean): Promise<ShownChange> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const change = await deps.db.transaction().execute(async (trx) => {
      await lockCustomer(trx, userId);
      if (await isChanging(trx, userId)) return null;
      const row = await findSubscription(trx, userId);
      const found = row && (await findShownChange(trx, row));
      if (row === undefined || found === undefined) throw new NoPriceChange();
      const { declined_at } = found;
      if (accepts === (declined_at === null)) return found;
      const now = deps.clock.now();
      if (!(await updateChange(trx, found, { declined_at: accepts ? null : now }))) return null;
      // A plan that ends already was confirmed by another email. The choice counts if the end is undone, such as by START.
      if (found.state === 'applied' || row.cancel_at_period_end) return found;
      const notice = { ...found, at: found.effective_at, currency: deps.catalogue.currency };
      const key = `price-choice:${found.move_id}:${userId}:${now.toISOString()}`;
      await sendNotice(trx, deps, userId, key, (to) =>
        accepts ? priceAccepted(to, notice) : priceDeclined(to, notice),
      );
      return found;
    });
    if (change !== null) return change;
    if (!(await resumeChange(deps, userId))) await delay(pollMs);
  }
  throw new PlanUnavailable();
}

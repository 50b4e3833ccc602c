import { findCatalogue } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { changeWords } from '../notices/plan-words.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { findShownChange, updateChange } from '../price-changes/price-changes.repository.ts';
import { findSubscription, isChanging } from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { isReached } from './plan-actions.ts';
import { type PlanChange, releaseChange, takeOverChange } from './plan-changes.repository.ts';

/** Ends a change if our row shows its outcome. A change that was made is confirmed by email once. */
export async function finishChange(deps: BillingDeps, change: PlanChange): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await findSubscription(trx, change.user_id);
    const isApplied = row !== undefined && isReached(row, change);
    const { action } = change;
    // A payment gets its receipt by email, and another price was announced.
    if (isApplied && action !== 'pay' && action !== 'move_price') {
      const key = `plan-change:${change.user_id}:${change.attempt}`;
      const { currency } = await findCatalogue(trx, deps, change.user_id);
      await sendNotice(trx, deps, change.user_id, key, (to) =>
        changeWords(to, action, row, currency),
      );
      const price = action === 'undo_cancel' ? await findShownChange(trx, row) : undefined;
      if (price?.state === 'applied') await updateChange(trx, price, { declined_at: null });
    }
    // A change that wasn't made keeps its key for the retry, which then finds a lost first attempt. A payment needs a new
    // key, or Stripe repeats a lost decline although the card was replaced. An invoice can't be paid twice.
    const attempt = isApplied || action === 'pay' ? change.attempt + 1 : change.attempt;
    await releaseChange(trx, change, { is_open: false, attempt });
  });
}

/** Resumes a change left open by a lost response or a crash. Returns whether there was one. */
export async function resumeChange(deps: BillingDeps, userId: string): Promise<boolean> {
  const change = await takeOverChange(deps.db, userId);
  if (change === undefined) return false;
  try {
    const row = await findSubscription(deps.db, userId);
    if (row?.stripe_subscription_id != null)
      await syncSubscription(deps, row.stripe_subscription_id);
    await finishChange(deps, change);
  } catch (error) {
    await releaseChange(deps.db, change, { is_open: true, attempt: change.attempt });
    throw error;
  }
  return true;
}

/** Runs the task that was enqueued when the change started. */
export async function finishPlanChange(deps: BillingDeps, userId: string): Promise<void> {
  if (await resumeChange(deps, userId)) return;
  if (await isChanging(deps.db, userId)) throw new Error('plan change still in progress');
}

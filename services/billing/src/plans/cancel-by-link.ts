import type { CanceledByLink } from '@daylift/contracts/billing.http';
import type { BillingDeps } from '../deps.ts';
import { CancelLinkInvalid } from '../errors.ts';
import { findShownChange } from '../price-changes/price-changes.repository.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { priceChangeOf } from './plan-view.ts';
import { changePlan } from './plans.actions.ts';
import { choosePrice } from './price-choice.ts';

/**
 * Cancels the plan before its first charge, or declines the price, named in an emailed link, without a sign-in.
 * Idempotent. The link no longer works if the first charge was moved or made in the meantime, or once the price applies.
 */
export async function cancelByLink(deps: BillingDeps, token: string): Promise<CanceledByLink> {
  const link = deps.cancelLinks.read(token);
  if (link === null) throw new CancelLinkInvalid();
  const row = await findSubscriptionByStripeId(deps.db, link.subscriptionId);
  if (row === undefined) throw new CancelLinkInvalid();
  const firstCharge = row.status === 'trial' ? row.trial_end : row.free_until;
  if (firstCharge?.getTime() === link.until.getTime() && link.until > deps.clock.now()) {
    await changePlan(deps, row.user_id, { action: 'cancel' });
    return { ends_at: link.until.toISOString() };
  }
  const change = await findShownChange(deps.db, row);
  if (change?.promised_at?.getTime() !== link.until.getTime()) throw new CancelLinkInvalid();
  await choosePrice(deps, row.user_id, false);
  return { ends_at: priceChangeOf(row, change).price_change.at };
}

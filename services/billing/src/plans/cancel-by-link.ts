import type { CanceledByLink } from '@daylift/contracts/billing.http';
import type { BillingDeps } from '../deps.ts';
import { CancelLinkNotGood } from '../errors.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { changePlan } from './plans.actions.ts';

/**
 * Cancels the trial named in an emailed link, without a sign-in. Idempotent. The link no longer works if the trial was
 * upgraded or extended in the meantime.
 */
export async function cancelByLink(deps: BillingDeps, token: string): Promise<CanceledByLink> {
  const link = deps.cancelLinks.read(token);
  if (link === null || link.trialEnd <= deps.clock.now()) throw new CancelLinkNotGood();
  const row = await findSubscriptionByStripeId(deps.db, link.subscriptionId);
  if (row?.status !== 'trial' || row.trial_end?.getTime() !== link.trialEnd.getTime())
    throw new CancelLinkNotGood();
  await changePlan(deps, row.user_id, { action: 'cancel' });
  return { ends_at: link.trialEnd.toISOString() };
}

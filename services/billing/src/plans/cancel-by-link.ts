import type { CanceledByLink } from '@daylift/contracts/billing.http';
import type { BillingDeps } from '../deps.ts';
import { CancelLinkNotGood } from '../errors.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { changePlan } from './plans.actions.ts';

/**
 * Cancels the trial that a mail's link names, without a sign-in. Repeating it changes nothing. A trial that was upgraded
 * or extended meanwhile isn't the one that the mail was about.
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

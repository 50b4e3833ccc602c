import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { comparedKinds, isMissingThere } from './compared-kinds.ts';

/**
 * Checks a difference that the comparison couldn't repair: our copy of something that the provider didn't list, or a
 * subscription of no account. Fails while it can't be explained, so an operator sees it.
 */
export async function explainDifference(deps: BillingDeps, subject: string): Promise<void> {
  const { db, stripe, clock } = deps;
  const [name = '', id = ''] = subject.split(':');
  const kind = comparedKinds[name];
  if (kind === undefined) return;
  if (await isMissingThere(kind, stripe, id))
    throw new Error(`The payment provider has no ${name} ${id}, but our records do.`);
  if (kind.task !== 'sync_subscription') return enqueueTask(db, kind.task, [id], clock.now());
  const found = await syncSubscription(deps, id);
  const isOurs = (await findSubscriptionByStripeId(db, id)) !== undefined;
  if (!isOurs && found?.status !== 'canceled')
    throw new Error(`No account matches the payment provider's subscription ${id}.`);
}

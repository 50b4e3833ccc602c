import type { accountsEvents } from '@daylift/contracts/accounts.events';
import { eraseFailedEvents } from '@daylift/events/erase';
import type { Static } from 'typebox';
import { findOpenCheckout } from '../checkouts/checkouts.repository.ts';
import { eraseCustomer, eraseTraces } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import { eraseGifts } from '../gifts/erase-gifts.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { closeSubscription, providerIdsOf } from '../subscriptions/subscriptions.actions.ts';
import {
  lockSubscription,
  type Subscription,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';

type Deleted = Static<(typeof accountsEvents)['accounts.user.deleted']>;

/**
 * Ends what a deleted account would still pay, and refunds what was paid for one that expired as an unpaid signup.
 * Erases personal data here and at the provider; invoices stay.
 */
export async function deleteCustomer(
  trx: Trx,
  { user_id: userId, expired }: Deleted,
  now: Date,
): Promise<void> {
  await eraseGifts(trx, { user_id: userId, expired }, now);
  await eraseCustomer(trx, userId, now);
  const subscription = await lockSubscription(trx, userId);
  const end = expired ? 'cancel_and_refund' : 'cancel_subscription';
  if (subscription?.is_live) await enqueueTask(trx, end, providerIdsOf(subscription), now);
  if (subscription !== undefined) await endOwnAccess(trx, subscription, now);
  const checkout = await findOpenCheckout(trx, userId);
  if (checkout?.session_id) await enqueueTask(trx, 'expire_session', [checkout.session_id], now);
  await eraseTraces(trx, userId);
  await eraseFailedEvents(trx, userId);
  await enqueueTask(trx, 'erase_customer', [userId], now);
}

/** Ends access without a provider subscription: a trial without a card, or free access. */
async function endOwnAccess(trx: Trx, row: Subscription, now: Date): Promise<void> {
  const isTrial = row.status === 'trial' && row.stripe_subscription_id === null;
  if (row.comp_until !== null) await updateSubscription(trx, row.user_id, { comp_until: null });
  if (isTrial || (row.entitled && !row.is_live))
    await closeSubscription(trx, { ...row, comp_until: null }, 'canceled', now);
}

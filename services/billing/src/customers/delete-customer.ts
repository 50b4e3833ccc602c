import { eraseParked } from '@daylift/events/erase';
import type { Transaction } from 'kysely';
import { findOpenCheckout } from '../checkouts/checkouts.repository.ts';
import type { BillingDatabase } from '../database.ts';
import { askFor } from '../provider-tasks/provider-tasks.repository.ts';
import { closeSubscription, providerIdsOf } from '../subscriptions/subscriptions.actions.ts';
import { lockSubscription } from '../subscriptions/subscriptions.repository.ts';
import { eraseCustomer, eraseTraces } from './customers.repository.ts';

/** Whoever deletes the account pays nothing more; what names them is erased here and at the provider, the ledger stays. */
export async function deleteCustomer(
  trx: Transaction<BillingDatabase>,
  userId: string,
  now: Date,
): Promise<void> {
  await trx.deleteFrom('mails').where('user_id', '=', userId).execute();
  await eraseCustomer(trx, userId, now);
  const subscription = await lockSubscription(trx, userId);
  if (subscription?.is_live)
    await askFor(trx, 'cancel_subscription', providerIdsOf(subscription), now);
  if (subscription?.status === 'trial' && subscription.stripe_subscription_id === null)
    await closeSubscription(trx, subscription, 'canceled', now);
  const checkout = await findOpenCheckout(trx, userId);
  if (checkout?.session_id) await askFor(trx, 'expire_session', [checkout.session_id], now);
  await eraseTraces(trx, userId);
  await eraseParked(trx, userId);
  await askFor(trx, 'erase_customer', [userId], now);
}

import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { isMissing } from '../stripe-client.ts';
import { eraseMessages, findGift, findGiftsBoughtBy, updateGift } from './gifts.repository.ts';

/**
 * Erases what gifts say about a deleted account, as buyer and as recipient. Links that were passed on stay valid. Runs
 * before the account's email is erased.
 */
export async function eraseGifts(trx: Trx, userId: string, now: Date): Promise<void> {
  const bought = await findGiftsBoughtBy(trx, userId);
  for (const { id } of bought)
    await updateGift(trx, id, { buyer_name: '', buyer_email: '', message: null });
  await enqueueTask(
    trx,
    'erase_gift',
    bought.map(({ id }) => id),
    now,
  );
  await eraseMessages(trx, userId);
}

/** Removes the buyer at the provider. */
export async function eraseGift({ db, stripe }: BillingDeps, id: string): Promise<void> {
  const customer = (await findGift(db, id))?.stripe_customer_id ?? null;
  if (customer === null) return;
  await stripe.customers.del(customer).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

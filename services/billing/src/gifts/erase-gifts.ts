import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { isMissing } from '../stripe-client.ts';
import {
  eraseMessages,
  findGift,
  findGiftsBoughtBy,
  releaseGifts,
  updateGift,
} from './gifts.repository.ts';

/**
 * Erases a deleted account from the gifts it bought and redeemed. The links of those it bought stay valid, and a gift
 * redeemed by a signup that expired can be redeemed again. Runs before the account's email is erased, because it finds
 * gifts by that email.
 */
export async function eraseGifts(
  trx: Trx,
  { user_id: userId, expired }: { user_id: string; expired?: boolean | undefined },
  now: Date,
): Promise<void> {
  if (expired) await releaseGifts(trx, userId);
  await eraseBuyer(trx, await findGiftsBoughtBy(trx, userId), now);
  await eraseMessages(trx, userId);
}

/** Erases the buyer from gifts, whose links stay valid. The provider keeps its invoices. */
export async function eraseBuyer(trx: Trx, gifts: { id: string }[], now: Date): Promise<void> {
  const ids = gifts.map(({ id }) => id);
  for (const id of ids)
    await updateGift(trx, id, { buyer_name: '', buyer_email: '', message: null });
  await enqueueTask(trx, 'erase_gift', ids, now);
}

/** Deletes the gift's customer at the provider. */
export async function eraseGift({ db, stripe }: BillingDeps, id: string): Promise<void> {
  const customer = (await findGift(db, id))?.stripe_customer_id ?? null;
  if (customer === null) return;
  await stripe.customers.del(customer).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

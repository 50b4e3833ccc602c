import { dayMs, minuteMs } from '@daylift/clock/durations';
import { findCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { nullIfMissing } from '../stripe-client.ts';
import {
  deleteUnsentMails,
  eraseMessages,
  eraseUnpaidBuyer,
  findGift,
  type Gift,
  lockBuyer,
  lockGiftsOf,
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
  const customer = await findCustomer(trx, userId);
  const email = customer?.email_proven && customer.email !== '' ? customer.email : undefined;
  if (email !== undefined) await lockBuyer(trx, email);
  const gifts = await lockGiftsOf(trx, { email, user_id: userId });
  const bought = gifts.filter(({ buyer_email }) => buyer_email === email);
  await eraseBuyer(trx, bought, now);
  if (expired) await releaseGifts(trx, userId);
  await eraseMessages(trx, userId);
}

/**
 * Erases the buyer from gifts. Their links stay valid. The provider keeps its invoices. A gift whose page can still be
 * paid keeps the address to send its link to, until it's paid or the page has expired.
 */
export async function eraseBuyer(
  trx: Trx,
  gifts: Pick<Gift, 'id' | 'paid_at' | 'session_id' | 'expires_at'>[],
  now: Date,
): Promise<void> {
  for (const { id, paid_at, session_id, expires_at } of gifts) {
    const isOpen = paid_at === null && (session_id !== null || expires_at > now);
    const address = isOpen ? {} : { buyer_email: '' };
    await updateGift(trx, id, { buyer_name: '', message: null, ...address });
    // The first may be the only one with the link.
    await deleteUnsentMails(trx, id, { keepFirst: true });
    if (!isOpen) continue;
    const checkAt = pageCheckAt(expires_at, now);
    // Reads whether the page was paid after all.
    if (session_id !== null) await enqueueTask(trx, 'fulfill_gift', [session_id], checkAt);
    // Billing may have died before it stored the page. Later, as the event of a payment may be late.
    else await enqueueTask(trx, 'erase_gift', [id], new Date(checkAt.getTime() + dayMs));
  }
  const paid = gifts.filter(({ paid_at }) => paid_at !== null).map(({ id }) => id);
  await enqueueTask(trx, 'erase_gift', paid, now);
}

/** Returns when a payment page can no longer be paid. */
export const pageCheckAt = (expiresAt: Date, now: Date): Date =>
  new Date(Math.max(now.getTime(), expiresAt.getTime() + minuteMs));

/** Erases the buyer's address from a gift that wasn't paid. Deletes a paid one's customer at the provider. */
export async function eraseGift({ db, stripe }: BillingDeps, id: string): Promise<void> {
  await eraseUnpaidBuyer(db, id);
  const customer = (await findGift(db, id))?.stripe_customer_id ?? null;
  if (customer !== null) await stripe.customers.del(customer).catch(nullIfMissing);
}

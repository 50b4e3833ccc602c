import { bookOnce } from '../credits/book-credit.ts';
import { catalogueFor, findCatalogue } from '../customers/currency.ts';
import { findCustomer, lockCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, referralCredit } from '../notices/words.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findNextBill, findReferral, type Referral, storeBooking } from './referrals.repository.ts';

/** Makes the provider's bookings for a referral match the decision. */
export async function settleReferral(
  deps: BillingDeps,
  friendId: string,
  key: string,
): Promise<void> {
  const { db, clock } = deps;
  const referral = await findReferral(db, friendId);
  if (referral === undefined) return;
  const change = dueOf(referral) - referral.booked_cents;
  const referrer = await findCustomer(db, referral.referrer_user_id);
  const customerId = referrer?.stripe_customer_id ?? null;
  // Waits for a customer at the provider.
  if (change === 0 || referrer === undefined || customerId === null) return;
  const booking = {
    subject: { friend: friendId },
    number: referral.bookings + 1,
    cents: change,
    currency: catalogueFor(deps, referrer).currency,
    description: change > 0 ? 'Referral credit' : 'Referral credit reversed',
  };
  const booked = await bookOnce(deps, customerId, booking, key);
  if (booked === null) return;
  await db.transaction().execute(async (trx) => {
    // The decision may have changed under the same lock.
    await lockCustomer(trx, referral.referrer_user_id);
    await storeBooking(trx, referral, booked);
    if (booked > 0) await mailCredit(trx, deps, referral, booked);
    await enqueueTask(trx, 'sync_customer', [customerId], clock.now());
    const after = await findReferral(trx, friendId);
    if (after !== undefined && dueOf(after) !== after.booked_cents)
      await enqueueTask(trx, 'settle_referral', [friendId], clock.now());
  });
}

const dueOf = ({ outcome, credit_cents }: Referral): number =>
  outcome === 'earned' ? credit_cents : 0;

/** Emails the referrer once for each friend, even if the credit was reversed and earned again. */
async function mailCredit(
  trx: Trx,
  deps: BillingDeps,
  { referrer_user_id, friend_user_id }: Referral,
  cents: number,
): Promise<void> {
  const { currency } = await findCatalogue(trx, deps, referrer_user_id);
  const amount = money(cents, currency);
  const billAt = await findNextBill(trx, referrer_user_id);
  await sendNotice(trx, deps, referrer_user_id, `referral-credit:${friend_user_id}`, (to) =>
    referralCredit(to, { amount, billAt }),
  );
}

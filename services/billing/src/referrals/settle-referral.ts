import { findCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { isMissing } from '../stripe-client.ts';
import { findReferral, type Referral, storeBooking } from './referrals.repository.ts';

/**
 * Makes the provider's bookings for a referral match the decision. Each booking has a number stored there, so one made
 * before a crash is found again at any time.
 */
export async function settleReferral(
  deps: BillingDeps,
  friendId: string,
  key: string,
): Promise<void> {
  const { db, clock } = deps;
  const referral = await findReferral(db, friendId);
  if (referral === undefined) return;
  const due = referral.outcome === 'earned' ? referral.credit_cents : 0;
  const change = due - referral.booked_cents;
  const referrer = await findCustomer(db, referral.referrer_user_id);
  const customerId = referrer?.stripe_customer_id ?? null;
  // Waits for a customer at the provider.
  if (change === 0 || customerId === null) return;
  const booked = await bookOnce(deps, customerId, referral, { change, key });
  if (booked === null) return;
  await db.transaction().execute(async (trx) => {
    await storeBooking(trx, referral, booked);
    await enqueueTask(trx, 'sync_customer', [customerId], clock.now());
    // The decision has changed since that booking.
    if (booked !== change) await enqueueTask(trx, 'settle_referral', [friendId], clock.now());
  });
}

/** Returns the amount of the booking with this number, or null if the customer no longer exists. */
async function bookOnce(
  { stripe, catalogue }: BillingDeps,
  customerId: string,
  { friend_user_id: friend, bookings }: Referral,
  { change, key }: { change: number; key: string },
): Promise<number | null> {
  const booking = String(bookings + 1);
  try {
    const made = stripe.customers.listBalanceTransactions(customerId, { limit: 100 });
    for await (const { amount, metadata } of made)
      if (metadata?.friend === friend && metadata.booking === booking) return -amount;
    await stripe.customers.createBalanceTransaction(
      customerId,
      {
        // At Stripe credit is negative.
        amount: -change,
        currency: catalogue.currency,
        description: change > 0 ? 'Credit for a friend' : 'Credit for a friend, taken back',
        metadata: { friend, booking },
      },
      { idempotencyKey: `${key}:${booking}` },
    );
    return change;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

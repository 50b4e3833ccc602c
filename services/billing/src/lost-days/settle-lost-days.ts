import { bookOnce } from '../credits/book-credit.ts';
import { catalogueFor } from '../customers/currency.ts';
import { findCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { storeLostDaysBooking, sumCredit } from './lost-days.repository.ts';

/** Books a subscriber's credit for lost days at the provider, as far as it isn't booked yet. */
export async function settleLostDays(
  deps: BillingDeps,
  userId: string,
  key: string,
): Promise<void> {
  const { db, clock } = deps;
  const customer = await findCustomer(db, userId);
  const customerId = customer?.stripe_customer_id ?? null;
  if (customer === undefined || customerId === null) return;
  const { lost_days_bookings: bookings, lost_days_booked_cents } = customer;
  const due = (await sumCredit(db, userId)) - lost_days_booked_cents;
  if (due === 0) return;
  const booking = {
    subject: { credit: 'lost_days' },
    number: bookings + 1,
    cents: due,
    currency: catalogueFor(deps, customer).currency,
    description: 'Credit for days without a text',
  };
  const booked = await bookOnce(deps, customerId, booking, key);
  if (booked === null) return;
  await db.transaction().execute(async (trx) => {
    await storeLostDaysBooking(trx, { user_id: userId, bookings, cents: booked });
    await enqueueTask(trx, 'sync_customer', [customerId], clock.now());
    // More days were lost since that booking.
    if (booked !== due) await enqueueTask(trx, 'settle_lost_days', [userId], clock.now());
  });
}

import { dayMs, hourMs } from '@daylift/clock/durations';
import { perPeriod } from '@daylift/contracts/plans';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { firstCharge, money } from '../notices/words.ts';
import { cancelUrlOf } from '../plans/cancel-link.ts';
import { findOffer } from '../promotions/find-offer.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';

const leadMs = dayMs;

/** Emails the first charge of a plan chosen during free access, and enqueues the reminder a day before it. */
export async function announceFirstCharge(deps: BillingDeps, id: string): Promise<void> {
  const { db, clock, catalogue } = deps;
  const row = await findSubscriptionByStripeId(db, id);
  const at = row?.free_until ?? null;
  if (row === undefined || at === null || !row.is_live || row.cancel_at_period_end) return;
  const now = clock.now();
  const isSoon = at.getTime() <= now.getTime() + leadMs + hourMs;
  const { user_id, plan } = row;
  const cents = row.price_cents ?? catalogue.plans[plan].price_cents;
  const price = (await findOffer(db, catalogue, row))?.price;
  const charge = {
    ...{ plan, at },
    price: price ?? `${money(cents, catalogue.currency)} ${perPeriod(plan)}`,
    amount: money(row.next_charge_cents ?? cents, catalogue.currency),
    cancelUrl: cancelUrlOf(deps, { subscriptionId: id, until: at }),
  };
  const key = `first-charge:${id}:${at.toISOString()}:${isSoon}`;
  await db.transaction().execute(async (trx) => {
    await sendNotice(trx, deps, user_id, key, (to) => firstCharge(to, charge));
    const reminderAt = new Date(at.getTime() - leadMs);
    if (!isSoon) await enqueueTask(trx, 'announce_first_charge', [id], reminderAt);
  });
}

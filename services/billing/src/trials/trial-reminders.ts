import { dayMs } from '@daylift/clock/durations';
import { perPeriod } from '@daylift/contracts/plans';
import type { Loop } from '@daylift/server/loops';
import { findCatalogue } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, trialEnding, trialReminder } from '../notices/words.ts';
import { cancelUrlOf } from '../plans/cancel-link.ts';
import { findLaterPayment, findOffer } from '../promotions/find-offer.ts';
import {
  findUnremindedTrials,
  lockSubscription,
  nextUnremindedTrialEnd,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';

const leadMs = dayMs;

type Deps = Pick<
  BillingDeps,
  'db' | 'clock' | 'product' | 'catalogues' | 'countryCurrencies' | 'cancelLinks' | 'addsTax'
>;

/**
 * Emails a day before a trial ends: about the first charge or, without a card, about how to continue. Based on the
 * trial's end, because Stripe sends `trial_will_end` at signup when a trial is this short.
 */
export function createTrialReminderLoop(deps: Deps): Loop {
  const { db, clock } = deps;
  return {
    name: 'trial-reminders',
    everyMs: 5_000,
    async run() {
      const now = clock.now();
      const period = { after: now, until: new Date(now.getTime() + leadMs) };
      const users = await findUnremindedTrials(db, period, 100);
      for (const user of users) await remind(deps, user);
      return users.length;
    },
    nextAt: async () => {
      const end = await nextUnremindedTrialEnd(db, new Date(clock.now().getTime() + leadMs));
      return end === null ? null : new Date(end.getTime() - leadMs);
    },
  };
}

async function remind(deps: Deps, userId: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, userId);
    const end = row?.trial_end ?? null;
    if (row === undefined || end === null) return;
    await updateSubscription(trx, userId, { reminded_trial_end: end });
    const catalogue = await findCatalogue(trx, deps, userId);
    const cents = row.next_charge_cents ?? catalogue.plans[row.plan].price_cents;
    const amount = money(cents, catalogue.currency);
    const each = `${amount} ${perPeriod(row.plan)}`;
    const offer = (await findOffer(trx, catalogue, row))?.price ?? null;
    const later = cents === 0 ? await findLaterPayment(trx, catalogue, row, end) : null;
    const id = row.stripe_subscription_id;
    const key = `trial-reminder:${id ?? userId}:${end.toISOString()}`;
    await sendNotice(trx, deps, userId, key, (to) =>
      id === null
        ? trialEnding(to, { at: end, price: `${each}${deps.addsTax ? ' plus tax' : ''}` })
        : trialReminder(to, {
            at: end,
            amount,
            later,
            offer,
            cancelUrl: cancelUrlOf(deps, { subscriptionId: id, until: end }),
          }),
    );
  });
}

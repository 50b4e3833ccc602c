import { dayMs } from '@daylift/clock/durations';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import { lockCustomer } from '../customers/customers.repository.ts';
import { mayHaveTrial, spendTrials } from '../customers/trial-uses.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { entitlementOf } from '../subscriptions/entitlement.ts';
import { saveSubscription } from '../subscriptions/subscriptions.actions.ts';
import { lockSubscription, type Subscription } from '../subscriptions/subscriptions.repository.ts';

/**
 * Starts the trial of a subscriber added by staff immediately and without a card. It ends by our own clock and uses up
 * the trial of their addresses, so a checkout then starts paid. Those who have had a trial get no subscription.
 */
export async function startTrialWithoutCard(
  trx: Trx,
  { user_id }: SignupFacts,
  { clock, catalogue }: Pick<BillingDeps, 'clock' | 'catalogue'>,
): Promise<void> {
  const customer = await lockCustomer(trx, user_id);
  if (customer === undefined || customer.deleted_at !== null) return;
  if ((await lockSubscription(trx, user_id)) !== undefined) return;
  if (!(await mayHaveTrial(trx, user_id))) return;
  const now = clock.now();
  await spendTrials(trx, customer, now);
  const end = new Date(now.getTime() + catalogue.trial_days * dayMs);
  const facts = { status: 'trial' as const, cancel_at: end, past_due_since: null, hold: null };
  const row: Subscription = {
    ...emptySubscription(now),
    ...{ user_id, plan: customer.plan, ...facts, ...entitlementOf(facts, now) },
    ...{ trial_end: end, current_period_start: now, current_period_end: end, entitled_since: now },
  };
  await saveSubscription(trx, undefined, row, now);
}

/** Returns a first row with nothing at the provider. */
export const emptySubscription = (
  now: Date,
): Omit<Subscription, 'user_id' | 'plan' | 'status' | 'entitled' | 'entitled_until'> => ({
  stripe_subscription_id: null,
  read_ticket: 0,
  version: 1,
  is_live: false,
  started_at: now,
  trial_end: null,
  current_period_start: null,
  current_period_end: null,
  cancel_at_period_end: false,
  cancel_at: null,
  past_due_since: null,
  entitled_since: null,
  trial_card: null,
  reminded_trial_end: null,
  stopped_at: null,
  last_reply_at: null,
  restored_at: null,
  checked_at: now,
  created_at: now,
  price_cents: null,
  next_charge_tax_cents: null,
  card_brand: null,
  card_last4: null,
  next_charge_at: null,
  next_charge_cents: null,
  owed_cents: null,
  card_declined: false,
  confirm_url: null,
  ended_unpaid: false,
  comp_until: null,
  free_until: null,
  hold: null,
  promotion_id: null,
  discount_cents: 0,
  recurring_discount_cents: 0,
});

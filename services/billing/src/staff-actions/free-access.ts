import { lockCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { entitlementOf } from '../subscriptions/entitlement.ts';
import { publishSubscriptionChanged } from '../subscriptions/subscription-changes.ts';
import { closeSubscription, saveSubscription } from '../subscriptions/subscriptions.actions.ts';
import {
  lockSubscription,
  type Subscription,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';
import { emptySubscription } from '../trials/trial-without-card.ts';
import type { StaffAction } from './staff-actions.repository.ts';
import { freeTimeEffect } from './staff-rules.ts';

type Deps = Pick<BillingDeps, 'clock'>;

/** Stores free access that the provider doesn't manage: a longer trial without a card, or access without a plan. */
export async function giveAccess(
  trx: Trx,
  { clock }: Deps,
  { user_id, until }: Pick<StaffAction, 'user_id' | 'until'>,
): Promise<void> {
  const now = clock.now();
  const customer = await lockCustomer(trx, user_id);
  const row = await lockSubscription(trx, user_id);
  if (customer === undefined || customer.deleted_at !== null) return;
  switch (freeTimeEffect(row)) {
    case 'next_charge':
      return;
    case 'own_trial': {
      const end = later(row!.trial_end, until);
      return changeAccess(
        trx,
        row!,
        { trial_end: end, cancel_at: end, current_period_end: end },
        now,
      );
    }
    case 'access':
      if (row !== undefined)
        return changeAccess(trx, row, { comp_until: later(row.comp_until, until) }, now);
      await startAccess(trx, { user_id, plan: customer.plan }, until, now);
  }
}

/** An older action must not shorten what a newer one has given. */
const later = (stored: Date | null, given: Date | null): Date | null =>
  stored !== null && given !== null && stored > given ? stored : given;

/** Starts free access for a subscriber who never had a plan. */
async function startAccess(
  trx: Trx,
  person: Pick<Subscription, 'user_id' | 'plan'>,
  comp_until: Date | null,
  now: Date,
): Promise<void> {
  const none = { cancel_at: null, past_due_since: null, hold: null };
  const facts = { status: 'expired' as const, ...none, comp_until };
  const entitlement = { ...entitlementOf(facts, now), entitled_since: now };
  const row = { ...emptySubscription(now), ...person, ...facts, ...entitlement };
  await saveSubscription(trx, undefined, row, now);
}

export async function changeAccess(
  trx: Trx,
  row: Subscription,
  changes: Partial<Subscription>,
  now: Date,
): Promise<void> {
  const next = { ...row, ...changes };
  const entitlement = entitlementOf(next, now);
  const entitled_since = row.entitled_since ?? (entitlement.entitled ? now : null);
  const stored = { ...changes, ...entitlement, entitled_since, version: row.version + 1 };
  await updateSubscription(trx, row.user_id, stored);
  await publishSubscriptionChanged(trx, row, { ...row, ...stored }, now);
}

/** Ends free access, and a trial without a provider subscription. */
export async function endAccess(
  trx: Trx,
  { clock }: Deps,
  { user_id }: Pick<StaffAction, 'user_id'>,
): Promise<void> {
  const row = await lockSubscription(trx, user_id);
  if (row === undefined || !row.entitled) return;
  await updateSubscription(trx, user_id, { comp_until: null });
  const status = row.stripe_subscription_id === null ? 'canceled' : row.status;
  await closeSubscription(trx, { ...row, comp_until: null }, status, clock.now());
}

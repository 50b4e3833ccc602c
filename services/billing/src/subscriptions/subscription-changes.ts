import { billingEvents, type SubscriptionState } from '@daylift/contracts/billing.events';
import { publish } from '@daylift/events/publish';
import { recordMrr } from '../business/mrr-changes.repository.ts';
import type { SubscriptionChangesTable, Trx } from '../database.ts';
import { countChange } from '../figures/subscription-days.ts';
import {
  findActingStaff,
  insertSubscriptionChange,
  isChanging,
  type Subscription,
} from './subscriptions.repository.ts';

type Actor = SubscriptionChangesTable['actor'];

/** Publishes a subscription's state, and stores that version with its actor. */
export async function publishSubscriptionChanged(
  trx: Trx,
  before: Partial<Subscription> | undefined,
  after: Subscription,
  now: Date,
): Promise<void> {
  const { status, plan, trial_end, current_period_end, cancel_at_period_end } = after;
  const { entitled, entitled_until, entitled_since, user_id, version } = after;
  const acting = await actorOf(trx, before, after);
  const state = {
    user_id,
    version,
    ...stateOf(after),
    ...(acting.staff !== null && { by_staff: true }),
  };
  await countChange(trx, before?.status, after, now);
  await publish(trx, billingEvents, 'billing.subscription.changed', state, now);
  const { current_period_start, price_cents } = after;
  await insertSubscriptionChange(trx, {
    ...{ user_id, version, status, plan, trial_end, current_period_end, cancel_at_period_end },
    ...{ current_period_start, price_cents, entitled, entitled_until, entitled_since },
    changed_at: now,
    ...acting,
  });
  await recordMrr(trx, user_id, now);
}

/** Returns the actor as far as known: the provider reports the state, not who wanted it. */
async function actorOf(
  trx: Trx,
  before: Partial<Subscription> | undefined,
  after: Subscription,
): Promise<{ actor: Actor; staff: string | null }> {
  const staff = await findActingStaff(trx, after.user_id);
  return { actor: staff === null ? await knownActorOf(trx, before, after) : 'system', staff };
}

async function knownActorOf(
  trx: Trx,
  before: Partial<Subscription> | undefined,
  after: Subscription,
): Promise<Actor> {
  if (after.stripe_subscription_id === null) return 'system';
  if (before?.stripe_subscription_id !== after.stripe_subscription_id) return 'subscriber';
  if (before.status === after.status && before.entitled !== after.entitled) return 'system';
  if (await isChanging(trx, after.user_id)) return 'subscriber';
  if (before.cancel_at_period_end === after.cancel_at_period_end) return 'provider';
  const byReply = after.cancel_at_period_end ? after.stopped_at : after.last_reply_at;
  return byReply === null ? 'provider' : 'reply';
}

export const snapshotText = (row: Subscription): string => JSON.stringify(stateOf(row));

export function stateOf(
  row: Omit<
    SubscriptionChangesTable,
    'current_period_start' | 'price_cents' | 'changed_at' | 'actor' | 'staff'
  >,
): Omit<SubscriptionState, 'user_id' | 'version'> {
  const text = (instant: Date | null) => instant?.toISOString() ?? null;
  return {
    status: row.status,
    plan: row.plan,
    trial_end: text(row.trial_end),
    current_period_end: text(row.current_period_end),
    cancel_at_period_end: row.cancel_at_period_end,
    entitled: row.entitled,
    entitled_until: text(row.entitled_until),
    entitled_since: text(row.entitled_since),
  };
}

import type { StaffActionKind } from '@daylift/contracts/billing.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import Stripe from 'stripe';
import { bookOnce } from '../credits/book-credit.ts';
import { findCatalogue } from '../customers/currency.ts';
import { findCustomer, lockCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { syncRefund } from '../invoices/invoices.actions.ts';
import { dayOf, money } from '../notices/words.ts';
import { isRefusal } from '../stripe-client.ts';
import { cancelSubscription } from '../subscriptions/cancellation.ts';
import { delayCharge } from '../subscriptions/free-time.ts';
import { freeDaysOf } from '../subscriptions/provider-subscription.ts';
import {
  findSubscription,
  isFreeByGift,
  moveAccessIntoPlan,
  type Subscription,
  startGiftsAtCharge,
  updateSubscription,
} from '../subscriptions/subscriptions.repository.ts';
import { syncCustomer } from '../subscriptions/sync-customer.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { endAccess, giveAccess } from './free-access.ts';
import { endStaffAction, findStaffAction, type StaffAction } from './staff-actions.repository.ts';
import { mailStaffAction } from './staff-notices.ts';
import { freeTimeEffect } from './staff-rules.ts';

/** Thrown when an action can't be done. The message is for the admin. */
class Impossible extends Error {}

/** Does something at the provider. Returns the id of what it created. */
type AtProvider = (deps: BillingDeps, action: StaffAction, key: string) => Promise<string | null>;

const atProvider: Record<StaffActionKind, AtProvider> = {
  refund,
  credit,
  free_days: moveNextCharge,
  extend_trial: moveNextCharge,
  free_access: moveNextCharge,
  cancel_now: cancelNow,
  cancel_at_period_end: cancelAtPeriodEnd,
};

/** Changes in our own tables when an action completes. */
const own: Partial<Record<StaffActionKind, typeof giveAccess>> = {
  free_days: giveAccess,
  extend_trial: giveAccess,
  free_access: giveAccess,
  cancel_now: endAccess,
};

/** Runs a pending action at the provider and records its outcome once. */
export async function runStaffAction(deps: BillingDeps, id: string, key: string): Promise<void> {
  const action = await findStaffAction(deps.db, id);
  if (action?.state !== 'pending') return;
  let end: { provider_id: string | null; error: string | null };
  try {
    end = { provider_id: await atProvider[action.kind](deps, action, key), error: null };
  } catch (error) {
    const words = refusalInWords(error);
    if (words === null) throw error;
    end = { provider_id: null, error: words };
  }
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, action.user_id);
    if ((await findStaffAction(trx, id))?.state !== 'pending') return;
    const state = end.error === null ? 'done' : 'failed';
    // Before the action ends, because changes are attributed to pending ones.
    if (state === 'done') await own[action.kind]?.(trx, deps, action);
    await endStaffAction(trx, id, { state, ended_at: now, ...end });
    await recordAction(trx, deps, action, end.error);
    if (state === 'done') await mailStaffAction(trx, deps, { ...action, ...end });
  });
}

function refusalInWords(error: unknown): string | null {
  if (error instanceof Impossible) return error.message;
  if (!isRefusal(error) || !(error instanceof Stripe.errors.StripeError)) return null;
  switch (error.code) {
    case 'charge_disputed':
      return "This payment is disputed, so it can't be refunded. Respond to the dispute in Stripe.";
    case 'charge_already_refunded':
      return 'This payment has already been refunded. Reload the page to see it.';
    default:
      return `The payment provider rejected this: ${error.message}`;
  }
}

const actionNames: Record<StaffActionKind, string> = {
  refund: 'user.refunded',
  credit: 'user.credited',
  free_days: 'user.free_days_given',
  extend_trial: 'user.trial_extended',
  free_access: 'user.free_access_given',
  cancel_now: 'user.plan_ended',
  cancel_at_period_end: 'user.plan_canceled',
};

async function recordAction(
  trx: Trx,
  deps: BillingDeps,
  action: StaffAction,
  error: string | null,
): Promise<void> {
  const { id, user_id, kind, amount_cents, days, until, invoice_id } = action;
  const { currency } = await findCatalogue(trx, deps, user_id);
  const name = error === null ? actionNames[kind] : 'user.billing_action_failed';
  const details = {
    ...(error !== null && { attempted: kind }),
    ...(amount_cents !== null && { amount: money(amount_cents, currency) }),
    ...(invoice_id !== null && { invoice: invoice_id }),
    ...(days !== null && { days }),
    ...(until !== null && { until: until.toISOString() }),
    // Reasons and the provider's words may name people, and the audit log can't be erased.
    request: id,
  };
  await publishAdminAction(
    trx,
    'billing',
    action,
    { action: name, target: user_id, details },
    deps.clock.now(),
  );
}

/** Looks for an earlier attempt's refund by its metadata, because Stripe forgets idempotency keys after a day. */
async function refund(
  deps: BillingDeps,
  { id, payment_intent_id, amount_cents }: StaffAction,
  key: string,
): Promise<string> {
  const { stripe } = deps;
  const payment_intent = payment_intent_id ?? '';
  const { data } = await stripe.refunds.list({ payment_intent, limit: 100 });
  const created =
    data.find((one) => one.metadata?.staff_action === id) ??
    (await stripe.refunds.create(
      {
        payment_intent,
        amount: amount_cents ?? 0,
        reason: 'requested_by_customer',
        metadata: { staff_action: id },
      },
      { idempotencyKey: key },
    ));
  await syncRefund(deps, created.id);
  return created.id;
}

async function credit(
  deps: BillingDeps,
  { id, user_id, amount_cents }: StaffAction,
  key: string,
): Promise<null> {
  const { currency } = await findCatalogue(deps.db, deps, user_id);
  const customerId = (await findCustomer(deps.db, user_id))?.stripe_customer_id ?? null;
  const booking = {
    subject: { credit: 'staff', staff_action: id },
    number: 1,
    cents: amount_cents ?? 0,
    currency,
    description: 'Credit',
  };
  if (customerId === null || (await bookOnce(deps, customerId, booking, key)) === null)
    throw new Impossible('The account has been deleted.');
  await syncCustomer(deps, customerId);
  return null;
}

/** Moves the next charge of a renewing plan. Other free time is stored only in our tables. */
async function moveNextCharge(
  deps: BillingDeps,
  { user_id, kind, until }: StaffAction,
  key: string,
): Promise<null> {
  const { db, stripe } = deps;
  const before = await findSubscription(db, user_id);
  if (before?.stripe_subscription_id == null) return null;
  await syncSubscription(deps, before.stripe_subscription_id);
  const row = await findSubscription(db, user_id);
  if (row?.stripe_subscription_id == null || freeTimeEffect(row) !== 'next_charge') return null;
  const id = row.stripe_subscription_id;
  const subscription = await stripe.subscriptions.retrieve(id);
  const end = Math.floor((until?.getTime() ?? 0) / 1000);
  if (subscription.trial_end === end) return null;
  const item = subscription.items.data[0];
  const isTrial = subscription.status === 'trialing' && freeDaysOf(subscription) === null;
  if (kind === 'extend_trial' && !isTrial)
    throw new Impossible('The trial has ended. Give free days instead.');
  if (item === undefined || end <= item.current_period_end)
    throw new Impossible(
      `The plan already runs until ${dayOf(row.current_period_end ?? deps.clock.now(), 'UTC')}. Reload the page and try again.`,
    );
  // A gift that ends sooner is part of the trial.
  const charge = new Date(item.current_period_end * 1000);
  const access = row.comp_until !== null && row.comp_until > charge ? row.comp_until : null;
  const endsTrial = access !== null && (await isFreeByGift(db, user_id, deps.clock.now()));
  if (access !== null) await startGiftsAtCharge(db, user_id, charge);
  await delayCharge(deps, subscription, end, { idempotencyKey: key, endsTrial });
  await syncSubscription(deps, id);
  if (access !== null) await moveAccessIntoPlan(db, user_id, access);
  return null;
}

async function cancelNow(deps: BillingDeps, { user_id }: StaffAction): Promise<null> {
  const row = await findSubscription(deps.db, user_id);
  if (row?.stripe_subscription_id != null && row.is_live)
    await cancelSubscription(deps, row.stripe_subscription_id);
  return null;
}

async function cancelAtPeriodEnd(
  deps: BillingDeps,
  { user_id }: StaffAction,
  key: string,
): Promise<null> {
  const id = liveIdOf(await findSubscription(deps.db, user_id));
  // Otherwise a START reply would undo this, even one that waits for the provider.
  await deps.db
    .transaction()
    .execute((trx) => updateSubscription(trx, user_id, { stopped_at: null, restored_at: null }));
  await deps.stripe.subscriptions.update(
    id,
    { cancel_at_period_end: true },
    { idempotencyKey: key },
  );
  await syncSubscription(deps, id);
  return null;
}

function liveIdOf(row: Subscription | undefined): string {
  if (row?.stripe_subscription_id == null || !row.is_live)
    throw new Impossible('The plan has already ended. Reload the page to see it.');
  return row.stripe_subscription_id;
}

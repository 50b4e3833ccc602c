import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import { planTerms } from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { noticeMs } from '../price-changes/price-changes.actions.ts';
import {
  findOpenChange,
  findSentAt,
  type PriceChange,
  postponeChange,
  updateChange,
} from '../price-changes/price-changes.repository.ts';
import { declinedPriceStays, priceChanges, priceStays } from '../price-changes/price-words.ts';
import { renewalFrom } from '../price-changes/renewal-dates.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { instantOf } from '../stripe-client.ts';
import { freeDaysOf, movedPrice, renewalAfter } from '../subscriptions/provider-subscription.ts';
import {
  clearStop,
  findSubscription,
  isChanging,
  lockSubscription,
  type Subscription,
} from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import {
  beginChange,
  type PlanChange,
  recheckAfterMs,
  releaseChange,
} from './plan-changes.repository.ts';

/** The shortest notice. */
const promisedMs = 30 * dayMs;
/** Two months for everyone who pays monthly. A yearly subscriber would have forgotten an earlier email. */
const earliestNoticeMs = 65 * dayMs;
/** A renewal's invoice is a draft for an hour. */
const afterRenewalMs = 2 * hourMs;
const retryMs = 2 * minuteMs;

/**
 * Does the next step of a subscriber's change to another price: emails them, and after the last renewal at the old price
 * sets the new one at the provider. Repeating a step changes nothing.
 */
export async function followPriceChange(
  deps: BillingDeps,
  userId: string,
  key: string,
): Promise<void> {
  const change = await findOpenChange(deps.db, userId);
  if (change === undefined) return;
  const due_at = await nextStep(deps, change, key);
  // Stopping the move in the meantime has made it due immediately.
  if (due_at !== null) await postponeChange(deps.db, change, due_at);
}

/** Returns when to check again, or null if that's stored. */
async function nextStep(deps: BillingDeps, change: PriceChange, key: string): Promise<Date | null> {
  // Not dropped, because processes with earlier and later prices run side by side during an upgrade.
  if (
    change.state === 'planned' &&
    change.stopped_at === null &&
    deps.catalogues[change.currency].plans[change.plan].price_cents !== change.to_cents
  )
    return new Date(deps.clock.now().getTime() + dayMs);
  const subscription = await syncSubscription(deps, change.stripe_subscription_id);
  const row = await findSubscription(deps.db, change.user_id);
  if (subscription === null || row === undefined || !isStill(row, change)) {
    await updateChange(deps.db, change, { state: 'dropped', due_at: null });
    return null;
  }
  const isSet = subscription.items.data[0]?.price.id === change.provider_price;
  if (change.stopped_at !== null && !isSet) {
    if (change.declined_at === null) return withdrawChange(deps, change);
    if (!row.cancel_at_period_end) await announceStop(deps, change);
  }
  return change.state === 'planned'
    ? announce(deps, change, subscription)
    : apply(deps, change, subscription, key);
}

/** Withdraws a change of a stopped move. Returns when to retry if the price may be being set, or null. */
async function withdrawChange(
  deps: BillingDeps,
  { user_id, move_id }: PriceChange,
): Promise<Date | null> {
  const retryAt = new Date(deps.clock.now().getTime() + retryMs);
  return deps.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, user_id);
    if (await isChanging(trx, user_id)) return retryAt;
    const change = await findOpenChange(trx, user_id);
    // The subscriber may have opted out in the meantime, so the plan ends.
    if (change?.move_id !== move_id || change.declined_at !== null) return retryAt;
    if (!(await updateChange(trx, change, { state: 'dropped', due_at: null }))) return retryAt;
    const { effective_at: at } = change;
    if (at === null) return null;
    const notice = { ...change, at };
    await sendNotice(trx, deps, user_id, `price-stays:${move_id}:${user_id}`, (to) =>
      priceStays(to, notice),
    );
    return null;
  });
}

/** Emails a subscriber who opted out that the price stays, once. */
async function announceStop(deps: BillingDeps, change: PriceChange): Promise<void> {
  const { user_id, move_id, effective_at: at } = change;
  if (at === null) return;
  const notice = { ...change, at };
  await deps.db
    .transaction()
    .execute((trx) =>
      sendNotice(trx, deps, user_id, `price-stopped:${move_id}:${user_id}`, (to) =>
        declinedPriceStays(to, notice),
      ),
    );
}

/** Returns whether the subscription still is the one meant to get another price. */
const isStill = (row: Subscription, change: PriceChange): boolean =>
  row.is_live &&
  ['trial', 'active', 'past_due'].includes(row.status) &&
  row.stripe_subscription_id === change.stripe_subscription_id &&
  row.plan === change.plan &&
  row.price_cents === change.from_cents;

/** Returns the first renewal from an instant. The payment that ends a trial isn't one: its price was shown at signup. */
function renewalOf(subscription: Stripe.Subscription, change: PriceChange, from: Date): Date {
  const { status, billing_cycle_anchor, trial_end } = subscription;
  const inTrial = status === 'trialing' && freeDaysOf(subscription) === null;
  const afterTrial = inTrial && trial_end !== null ? instantOf(trial_end).getTime() + 1 : 0;
  const earliest = new Date(Math.max(from.getTime(), afterTrial));
  return renewalFrom(instantOf(billing_cycle_anchor), planTerms[change.plan].months, earliest);
}

const periodEndOf = ({ items }: Stripe.Subscription): Date =>
  instantOf(items.data[0]?.current_period_end ?? 0);

const noticeKey = ({ move_id, user_id }: PriceChange): string =>
  `price-changes:${move_id}:${user_id}`;

/** Emails the new price and its date. Returns null once it's announced, else when to check again. */
async function announce(
  deps: BillingDeps,
  change: PriceChange,
  subscription: Stripe.Subscription,
): Promise<Date | null> {
  const now = deps.clock.now();
  const effective_at = renewalOf(subscription, change, new Date(now.getTime() + noticeMs));
  const noticeAt = new Date(effective_at.getTime() - earliestNoticeMs);
  if (noticeAt > now) return noticeAt;
  const isAnnounced = await deps.db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, change.user_id);
    // A planned end may be undone, so it is checked again after the period.
    if (row === undefined || row.cancel_at_period_end || !isStill(row, change)) return false;
    const due_at = new Date(now.getTime() + minuteMs);
    const dates = { announced_at: now, promised_at: effective_at, effective_at, due_at };
    if (!(await updateChange(trx, change, { state: 'announced', ...dates }))) return false;
    const link = { subscriptionId: change.stripe_subscription_id, until: effective_at };
    const declineUrl = `${deps.product.publicUrl}/keep-price#${deps.cancelLinks.tokenOf(link)}`;
    const notice = { ...change, at: effective_at };
    const renewsAt = effective_at.getTime() / 1000;
    const hasDiscount = renewalAfter(subscription, change.to_cents, renewsAt) < change.to_cents;
    const hasTax = (row.next_charge_tax_cents ?? 0) > 0;
    await sendNotice(trx, deps, change.user_id, noticeKey(change), (to) =>
      priceChanges(to, notice, { hasDiscount, hasTax, declineUrl }),
    );
    return true;
  });
  return isAnnounced ? null : later(periodEndOf(subscription), afterRenewalMs, now);
}

/**
 * Sets the new price in the last period at the old one, if the email was sent in time. Returns when to check again, or
 * null once it's set.
 */
async function apply(
  deps: BillingDeps,
  change: PriceChange,
  subscription: Stripe.Subscription,
  key: string,
): Promise<Date | null> {
  const now = deps.clock.now();
  const sentAt = await findSentAt(deps.db, noticeKey(change));
  // An email may never be sent, such as to an address that doesn't exist.
  if (sentAt === null) return new Date(now.getTime() + dayMs);
  const promised = Math.max(
    change.promised_at?.getTime() ?? 0,
    sentAt.getTime() + promisedMs,
    now.getTime(),
  );
  const effective_at = renewalOf(subscription, change, new Date(promised));
  const periodEnd = periodEndOf(subscription);
  if (effective_at > periodEnd) {
    await updateChange(deps.db, change, { effective_at });
    return later(periodEnd, afterRenewalMs, now);
  }
  const held = await hold(deps, change);
  if (held === null) return new Date(now.getTime() + retryMs);
  try {
    // A price that an interrupted try has set stays.
    const isSet = subscription.items.data[0]?.price.id === change.provider_price;
    const stopped_at = isSet ? null : held.change.stopped_at;
    const isStopped = stopped_at !== null;
    // The subscriber has just chosen to keep the plan.
    if (isStopped && held.change.declined_at === null) return now;
    await setPrice(deps, { ...held.change, stopped_at, effective_at }, subscription, key);
    const state = isStopped ? 'dropped' : 'applied';
    await updateChange(deps.db, change, { state, effective_at, due_at: null });
  } finally {
    await releaseChange(deps.db, held.slot, { is_open: false, attempt: held.slot.attempt + 1 });
  }
  return null;
}

const later = (instant: Date, byMs: number, now: Date): Date =>
  new Date(Math.max(instant.getTime() + byMs, now.getTime() + hourMs));

/** Claims the user's slot for changes, with the choice that they have made until then, unless another move came first. */
async function hold(
  { db, clock }: BillingDeps,
  announced: PriceChange,
): Promise<{ slot: PlanChange; change: PriceChange } | null> {
  const now = clock.now();
  const { user_id: userId } = announced;
  const recheckAt = new Date(now.getTime() + recheckAfterMs);
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, userId);
    if (!(await updateChange(trx, announced, { due_at: recheckAt }))) return null;
    const change = await findOpenChange(trx, userId);
    if (change === undefined) return null;
    const slot = await beginChange(trx, userId, { action: 'move_price', plan: change.plan }, now);
    if (slot === undefined) return null;
    await enqueueTask(trx, 'finish_plan_change', [userId], recheckAt);
    return { slot, change };
  });
}

/** Sets the new price, unless its move was stopped, and ends the plan of a subscriber who opted out. */
async function setPrice(
  deps: BillingDeps,
  change: PriceChange & { effective_at: Date },
  read: Stripe.Subscription,
  key: string,
): Promise<void> {
  // Another change may have ended just before the slot was claimed.
  const subscription = await deps.stripe.subscriptions.retrieve(read.id);
  const item = subscription.items.data[0];
  if (item === undefined || item.price.id !== read.items.data[0]?.price.id)
    throw new Error('the plan has changed');
  const ends = change.declined_at !== null;
  if (ends) await clearStop(deps.db, change.user_id);
  await deps.stripe.subscriptions.update(
    subscription.id,
    {
      ...(change.stopped_at === null && {
        items: [{ id: item.id, price: change.provider_price }],
        proration_behavior: 'none',
        metadata: movedPrice({
          price: change.provider_price,
          fromCents: change.from_cents,
          at: change.effective_at.getTime() / 1000,
        }),
      }),
      ...(ends && { cancel_at_period_end: true }),
    },
    { idempotencyKey: `${key}:${ends}` },
  );
  await syncSubscription(deps, subscription.id);
}

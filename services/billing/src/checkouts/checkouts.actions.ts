import { setTimeout as delay } from 'node:timers/promises';
import { billingEvents } from '@daylift/contracts/billing.events';
import type {
  CreateCheckoutRequest,
  CreateCheckoutResponse,
} from '@daylift/contracts/billing.http';
import { publish } from '@daylift/events/publish';
import { catalogueFor, findCatalogue } from '../customers/currency.ts';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import { type Customer, choosePlan, lockCustomer } from '../customers/customers.repository.ts';
import { mayHaveTrial } from '../customers/trial-uses.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { CheckoutUnavailable, OriginRefused, PromotionOver, UnknownSignup } from '../errors.ts';
import { allowedOrigin } from '../origin.ts';
import { findRedeemable, trialDaysWith, withinUses } from '../promotions/redeem-promotion.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { isRefusedDiscount, keepsItsKey } from '../stripe-client.ts';
import { firstChargeAfter } from '../subscriptions/free-time.ts';
import { findSubscription } from '../subscriptions/subscriptions.repository.ts';
import {
  beginCheckout,
  type Checkout,
  claimCheckout,
  findOpenCheckout,
  type Intent,
  releaseCheckout,
  storeSession,
} from './checkouts.repository.ts';
import { expireSession } from './expire-session.ts';
import { openHostedSession } from './hosted-session.ts';
import { checkoutRefusal } from './may-check-out.ts';

/** Maximum wait for another caller that is already opening the page. Wall clock. */
const patienceMs = 12_000;
const pollMs = 50;

/** Returns the checkout page. A user has one open page at a time, however often it is requested. */
export async function createCheckout(
  deps: BillingDeps,
  request: CreateCheckoutRequest,
  signedInUser: string | null,
): Promise<CreateCheckoutResponse> {
  const origin = allowedOrigin(deps.allowedOrigins, request.origin_url);
  if (origin === null) throw new OriginRefused();
  const { promotion_code: code, plan } = request;
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const customer = await findOrFetchCustomer(deps, request.subscription_id);
    if (customer === undefined) throw new UnknownSignup();
    const { user_id, registered_at } = customer;
    const is_owner = signedInUser === user_id;
    const subscription = await findSubscription(deps.db, user_id);
    const facts = { subscription: subscription ?? null, registered_at, is_owner };
    const refusal = checkoutRefusal(facts, deps.clock.now());
    if (refusal !== null) throw refusal;
    const mayTry = await mayHaveTrial(deps.db, user_id);
    const free_until = firstChargeAfter(subscription, mayTry, deps.clock.now());
    const hasTrial = free_until === null && mayTry;
    const buyer = { user_id, hasTrial: mayTry, isFree: free_until !== null };
    const catalogue = catalogueFor(deps, customer);
    const promotion =
      code === undefined ? null : await findRedeemable(deps, { code, plan }, catalogue, buyer);
    const trial_days = hasTrial ? trialDaysWith(deps.catalogue.trial_days, promotion) : 0;
    const terms = { trial_days, free_until, promotion_id: promotion?.id ?? null };
    const intent = { user_id, plan, origin, ...terms };
    const page = await stepTowards(deps, intent, customer);
    if (page !== null) {
      const { currency } = await findCatalogue(deps.db, deps, user_id);
      return { ...page, currency };
    }
  }
  throw new CheckoutUnavailable();
}

/** Reads the user's open checkout and takes the next step. Returns null if the state must be read again. */
async function stepTowards(
  deps: BillingDeps,
  intent: Intent,
  customer: Customer,
): Promise<CreateCheckoutResponse | null> {
  const { db, clock } = deps;
  const open = await findOpenCheckout(db, intent.user_id);
  if (open === undefined) {
    const now = clock.now();
    const claimed = await withinUses(db, intent, now, (one) => beginCheckout(one, intent, now));
    return claimed === undefined ? null : openPage(deps, claimed, customer);
  }
  if (open.claimed_until !== null && open.claimed_until > new Date()) {
    await delay(pollMs);
    return null;
  }
  if (open.status === 'creating') return resumeCheckout(deps, open, intent, customer);
  if (open.status === 'open' && isSame(open, intent) && isUsable(open, clock.now()))
    return responseOf(open, { url: open.url ?? '', id: open.session_id ?? '' });
  await closePage(deps, open);
  return null;
}

const responseOf = (
  { trial_days }: Checkout,
  { url, id }: { url: string; id: string },
): CreateCheckoutResponse => ({ url, session_id: id, trial_days });

const isSame = (one: Intent, other: Intent): boolean =>
  one.plan === other.plan &&
  one.origin === other.origin &&
  one.trial_days === other.trial_days &&
  one.free_until?.getTime() === other.free_until?.getTime() &&
  one.promotion_id === other.promotion_id;

const isUsable = (checkout: Checkout, now: Date): boolean =>
  checkout.expires_at !== null && checkout.expires_at > now;

/**
 * Resumes a failed or crashed caller's checkout. The same attempt finds what was opened instead of opening it twice.
 */
async function resumeCheckout(
  deps: BillingDeps,
  open: Checkout,
  intent: Intent,
  customer: Customer,
): Promise<CreateCheckoutResponse | null> {
  const attempt = isSame(open, intent) ? open.attempt : open.attempt + 1;
  const claimed = await withinUses(deps.db, intent, deps.clock.now(), (db) =>
    claimCheckout(db, open, { ...intent, status: 'creating', attempt }),
  );
  return claimed === undefined ? null : openPage(deps, claimed, customer);
}

/** Returns null if free access was given meanwhile, which the page would charge for. */
async function openPage(
  deps: BillingDeps,
  claimed: Checkout,
  customer: Customer,
): Promise<CreateCheckoutResponse | null> {
  try {
    const session = await openHostedSession(deps, claimed, customer);
    const { isGone, isOutdated } = await deps.db.transaction().execute(async (trx) => {
      const owner = await lockCustomer(trx, claimed.user_id);
      await storeSession(trx, claimed, session);
      await choosePlan(trx, claimed.user_id, claimed.plan);
      await publishOpened(trx, claimed, session, deps.clock.now());
      const isGone = owner?.deleted_at != null;
      // The account was deleted meanwhile: close what was opened.
      if (isGone) await enqueueTask(trx, 'erase_customer', [claimed.user_id], deps.clock.now());
      const row = await findSubscription(trx, claimed.user_id);
      const free = firstChargeAfter(row, claimed.trial_days > 0, deps.clock.now());
      const isOutdated = free?.getTime() !== claimed.free_until?.getTime();
      if (isOutdated) await enqueueTask(trx, 'expire_session', [session.id], deps.clock.now());
      return { isGone, isOutdated };
    });
    if (isGone) throw new UnknownSignup();
    return isOutdated ? null : responseOf(claimed, session);
  } catch (error) {
    if (error instanceof UnknownSignup) throw error;
    deps.log.error({ err: error }, 'checkout creation failed');
    const attempt = keepsItsKey(error) ? claimed.attempt : claimed.attempt + 1;
    const isRefused = isRefusedDiscount(error);
    await releaseCheckout(deps.db, claimed, {
      status: 'creating',
      attempt,
      ...(isRefused && { promotion_id: null }),
    });
    throw isRefused ? new PromotionOver() : new CheckoutUnavailable();
  }
}

/** Publishes how long accounts must keep the signup for payment. */
async function publishOpened(
  trx: Trx,
  { user_id }: Checkout,
  { expires_at }: { expires_at: Date },
  now: Date,
): Promise<void> {
  const opened = { user_id, expires_at: expires_at.toISOString() };
  await publish(trx, billingEvents, 'billing.checkout.opened', opened, now);
}

/** Closes an unwanted page, so the next read finds none. */
async function closePage(deps: BillingDeps, open: Checkout): Promise<void> {
  const claimed = await claimCheckout(deps.db, open, { status: 'closing' });
  if (claimed === undefined || claimed.session_id === null) return;
  const { session_id, attempt } = claimed;
  const failed = await expireSession(deps, session_id, `expire:${session_id}:${attempt}`).then(
    (over) => (over ? null : new Error('the page is neither open nor over')),
    (error: unknown) => error,
  );
  if (failed === null) return;
  deps.log.error({ err: failed }, 'checkout expiry failed');
  await releaseCheckout(deps.db, claimed, {
    status: 'open',
    attempt: keepsItsKey(failed) ? attempt : attempt + 1,
  });
  throw new CheckoutUnavailable();
}

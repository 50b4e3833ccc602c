import type { Currency } from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import { ensureCurrency } from '../customers/currency.ts';
import {
  type Customer,
  forgetStripeCustomer,
  lockCustomer,
  storeStripeCustomer,
} from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { findPromotion } from '../promotions/promotions.repository.ts';
import { ensureCode } from '../promotions/provider-promotion.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { friendsNotBooked } from '../referrals/referrals.repository.ts';
import { instantOf, isMissing } from '../stripe-client.ts';
import { freeTime } from '../subscriptions/provider-subscription.ts';
import type { Checkout } from './checkouts.repository.ts';

type Deps = Pick<
  BillingDeps,
  'db' | 'clock' | 'stripe' | 'prices' | 'catalogues' | 'countryCurrencies' | 'addsTax'
>;

/** Opens the provider's page for a claimed checkout. The same attempt returns the same session. */
export async function openHostedSession(
  deps: Deps,
  checkout: Checkout,
  customer: Customer,
): Promise<{ id: string; url: string; expires_at: Date }> {
  const currency = await ensureCurrencyOf(deps, customer);
  const price = await deps.prices.find(checkout.plan, currency);
  const customerId = await ensureStripeCustomer(deps, customer, checkout.attempt);
  const code = await findCode(deps, checkout);
  const session = await deps.stripe.checkout.sessions
    .create(
      { ...sessionOf(checkout, customerId, price, code), ...(deps.addsTax && taxed) },
      {
        idempotencyKey: `checkout:${checkout.id}:${checkout.attempt}`,
      },
    )
    .catch(async (error: unknown) => {
      // The Stripe account was emptied or replaced, so forget ids that no longer exist.
      if (isMissing(error, 'customer')) await forgetStripeCustomer(deps.db, customerId);
      else if (isMissing(error)) deps.prices.forget();
      throw error;
    });
  if (session.url === null) throw new Error('checkout session without a URL');
  return { id: session.id, url: session.url, expires_at: instantOf(session.expires_at) };
}

/** Stores the currency before the provider's customer is created. After that, a null currency means the default. */
function ensureCurrencyOf(deps: Deps, { user_id }: Customer): Promise<Currency> {
  return deps.db.transaction().execute(async (trx) => {
    const locked = await lockCustomer(trx, user_id);
    if (locked === undefined) throw new Error('customer not found');
    return (await ensureCurrency(trx, deps, locked)).currency;
  });
}

async function findCode(deps: Deps, { promotion_id: id }: Checkout): Promise<string | null> {
  const promotion = id === null ? undefined : await findPromotion(deps.db, id);
  return promotion === undefined ? null : ensureCode(deps, promotion);
}

async function ensureStripeCustomer(
  { db, clock, stripe }: Deps,
  customer: Customer,
  attempt: number,
): Promise<string> {
  if (customer.stripe_customer_id !== null) return customer.stripe_customer_id;
  const key = `customer:${customer.user_id}`;
  const created = await stripe.customers.create(
    {
      // Empty once another account has proven it.
      ...(customer.email !== '' && { email: customer.email }),
      name: customer.name,
      metadata: { user_id: customer.user_id },
    },
    { idempotencyKey: attempt === 1 ? key : `${key}:${attempt}` },
  );
  return db.transaction().execute(async (trx) => {
    const counts = await storeStripeCustomer(trx, customer.user_id, created.id);
    // Referral credits earned earlier wait for this Stripe customer.
    const waiting = await friendsNotBooked(trx, customer.user_id);
    await enqueueTask(trx, 'settle_referral', waiting, clock.now());
    return counts;
  });
}

/** The page asks for the address that determines the tax, and saves it for renewals. */
const taxed: Partial<Stripe.Checkout.SessionCreateParams> = {
  automatic_tax: { enabled: true },
  customer_update: { address: 'auto' },
};

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);

function sessionOf(
  checkout: Checkout,
  customer: string,
  price: string,
  promotionCode: string | null,
): Stripe.Checkout.SessionCreateParams {
  const { user_id, plan, id: checkout_id, promotion_id, free_until, trial_days } = checkout;
  const freeEnd = free_until === null ? null : secondsOf(free_until);
  const metadata = { user_id, plan, checkout_id, ...(promotion_id !== null && { promotion_id }) };
  return {
    mode: 'subscription',
    customer,
    client_reference_id: checkout.user_id,
    line_items: [{ price, quantity: 1 }],
    ...(promotionCode !== null && { discounts: [{ promotion_code: promotionCode }] }),
    allowed_payment_method_types: ['card'],
    payment_method_collection: 'always',
    // Stripe replaces the literal braces only, so the URL must not be encoded.
    success_url: `${checkout.origin}/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${checkout.origin}/signup?plan=${checkout.plan}`,
    // A session's metadata isn't copied to its subscription.
    metadata,
    subscription_data: {
      metadata: {
        ...metadata,
        ...(freeEnd !== null && freeTime(freeEnd, secondsOf(checkout.created_at))),
      },
      ...((freeEnd !== null || trial_days > 0) && {
        ...(freeEnd === null ? { trial_period_days: trial_days } : { trial_end: freeEnd }),
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
      }),
    },
  };
}

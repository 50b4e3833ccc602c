import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { BuyGiftRequest, GiftCheckout } from '@daylift/contracts/gifts.http';
import {
  type Currency,
  defaultCurrency,
  giftPriceCents,
  monthsInWords,
} from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import { soldCurrencies } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { CheckoutUnavailable, CurrencyNotSold, OriginRefused, TooManyGifts } from '../errors.ts';
import { allowedOrigin } from '../origin.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { instantOf } from '../stripe-client.ts';
import { pageCheckAt } from './erase-gifts.ts';
import { hashOfCode } from './gift-codes.ts';
import {
  deleteUnopened,
  findOpenGifts,
  type Gift,
  insertGift,
  lockBuyer,
  updateGift,
} from './gifts.repository.ts';

const checkoutMs = hourMs;
/** Open payment pages per email. */
const maxOpenCheckouts = 5;

type GiftOrder = BuyGiftRequest & { currency: Currency };

/** Returns the payment page of a gift. The same request returns the page that is still open. */
export async function buyGift(deps: BillingDeps, wanted: BuyGiftRequest): Promise<GiftCheckout> {
  const origin = allowedOrigin(deps.allowedOrigins, wanted.origin_url);
  if (origin === null) throw new OriginRefused();
  const { currency = defaultCurrency } = wanted;
  if (!soldCurrencies(deps).includes(currency)) throw new CurrencyNotSold();
  const gift = await findOrBegin(deps, { ...wanted, currency }, origin);
  if (gift.url !== null && gift.session_id !== null)
    return { url: gift.url, session_id: gift.session_id };
  try {
    const session = await deps.stripe.checkout.sessions.create(sessionOf(deps, gift, currency), {
      idempotencyKey: `gift:${gift.id}`,
    });
    if (session.url === null) throw new Error('the provider returned a session without a URL');
    const { id: session_id, url } = session;
    const expires_at = instantOf(session.expires_at);
    await deps.db.transaction().execute(async (trx) => {
      await updateGift(trx, gift.id, { session_id, url, expires_at });
      // The event may reach a process of the previous version, which doesn't know gifts.
      const checkAt = pageCheckAt(expires_at, deps.clock.now());
      await enqueueTask(trx, 'fulfill_gift', [session_id], checkAt);
    });
    return { url, session_id };
  } catch (error) {
    // It must not count as an open page.
    await deleteUnopened(deps.db, gift.id);
    deps.log.error({ err: error, gift_id: gift.id }, 'gift checkout creation failed');
    throw new CheckoutUnavailable();
  }
}

function findOrBegin(
  { db, clock, giftCodes }: BillingDeps,
  { months, buyer_name, buyer_email, gift_message = '', currency }: GiftOrder,
  origin: string,
): Promise<Gift> {
  const now = clock.now();
  const id = randomUUID();
  const wanted = {
    ...{ months, origin, buyer_name: buyer_name.trim(), buyer_email: buyer_email.toLowerCase() },
    ...{ message: gift_message.trim() || null, currency },
  };
  return db.transaction().execute(async (trx) => {
    await lockBuyer(trx, wanted.buyer_email);
    const open = await findOpenGifts(trx, wanted.buyer_email, now);
    const same = open.find(
      (one) =>
        one.url !== null &&
        (Object.keys(wanted) as (keyof typeof wanted)[]).every((key) => one[key] === wanted[key]),
    );
    if (same !== undefined) return same;
    if (open.length >= maxOpenCheckouts) throw new TooManyGifts();
    return insertGift(trx, {
      ...wanted,
      id,
      code_hash: hashOfCode(giftCodes.codeOf(id)),
      created_at: now,
      expires_at: new Date(now.getTime() + checkoutMs),
    });
  });
}

function sessionOf(
  { catalogues, product, addsTax }: BillingDeps,
  { id, months, buyer_email, origin, expires_at }: Gift,
  currency: Currency,
): Stripe.Checkout.SessionCreateParams {
  const price_data = {
    currency,
    product_data: { name: `${product.name}, ${monthsInWords(months)} (gift)` },
    // Required for automatic tax, otherwise without effect.
    tax_behavior: 'exclusive' as const,
    unit_amount: giftPriceCents(months, (plan) => catalogues[currency].plans[plan].price_cents),
  };
  return {
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    allowed_payment_method_types: ['card'],
    // The provider knows the buyer only by this payment, so refunds and tax have a customer.
    customer_creation: 'always',
    customer_email: buyer_email,
    // Puts the payment in the invoices, which revenue and the nightly comparison read.
    invoice_creation: { enabled: true },
    expires_at: Math.ceil(expires_at.getTime() / 1000),
    // Stripe replaces the literal braces only, so the URL must not be encoded.
    success_url: `${origin}/gift?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/gift`,
    metadata: { gift_id: id },
    ...(addsTax && { automatic_tax: { enabled: true } }),
  };
}

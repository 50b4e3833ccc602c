import type { SubscriptionStatus } from '@daylift/contracts/fields';
import { defaultPlan, type PlanId, planIds, planTerms } from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { idOf, instantOf, isRefusal } from '../stripe-client.ts';
import { settleBill } from './settle-bill.ts';
import type { Subscription } from './subscriptions.repository.ts';

/** A subscription at Stripe, reduced to what we use. */
export interface ProviderSubscription extends StoredAsRead {
  id: string;
  stripe_customer_id: string;
  /** Written by our checkout; used only for a customer id that we don't know. */
  user_id: string | null;
  /** Null unless past due. */
  owed: Owed | null;
  card: Card | null;
  /** The customer's balance as at Stripe: negative is credit. Null for a deleted customer. */
  balance_cents: number | null;
  next_charge: { at: Date; cents: number; tax_cents: number | null } | null;
  is_paused: boolean;
  /** Whether we paused it for a dispute; a pause made by an operator must stay. */
  is_paused_by_us: boolean;
}

type StoredAsRead = Pick<
  Subscription,
  | 'status'
  | 'is_live'
  | 'plan'
  | 'started_at'
  | 'trial_end'
  | 'free_until'
  | 'current_period_start'
  | 'current_period_end'
  | 'cancel_at_period_end'
  | 'cancel_at'
  | 'ended_unpaid'
  | 'price_cents'
  | 'promotion_id'
  | 'discount_cents'
  | 'recurring_discount_cents'
>;

export interface Owed {
  cents: number;
  /** When the oldest unpaid payment failed. */
  failed_at: Date | null;
  /** Whether the card on file was declined, or there is none. */
  card_declined: boolean;
  /** The provider's page for confirming the payment, if the bank requires it for the card on file. */
  confirm_url: string | null;
}

export interface Card {
  fingerprint: string | null;
  brand: string;
  last4: string;
}

export const pausedByUs = { paused_for: 'dispute' };

export const isPausedByUs = ({ metadata }: Stripe.Subscription): boolean =>
  metadata.paused_for === pausedByUs.paused_for;

export const subscriptionParts = [
  'default_payment_method',
  'customer',
  'latest_invoice',
  'discounts.source.coupon',
];

const statuses: Record<string, SubscriptionStatus> = {
  trialing: 'trial',
  active: 'active',
  past_due: 'past_due',
  canceled: 'canceled',
  incomplete: 'pending',
  incomplete_expired: 'expired',
  unpaid: 'expired',
  paused: 'expired',
};

const ended = new Set(['canceled', 'incomplete_expired']);
const renewing = new Set(['trialing', 'active', 'past_due']);

export async function readSubscription(
  { stripe, log }: Pick<BillingDeps, 'stripe' | 'log'>,
  subscription: Stripe.Subscription,
): Promise<ProviderSubscription> {
  const method = await findPayingMethod(stripe, subscription);
  const owed =
    subscription.status === 'past_due' ? await findOwed(stripe, subscription.id, method) : null;
  const read = translateSubscription(subscription);
  const next_charge = await withTax(stripe, subscription, read.next_charge).catch(
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      log.warn({ err: error, subscription: subscription.id }, 'tax preview refused');
      return read.next_charge;
    },
  );
  return { ...read, next_charge, owed, card: cardOf(method) };
}

/** Only the provider knows the tax of a renewal that isn't invoiced yet. */
async function withTax(
  stripe: Stripe,
  { id, automatic_tax }: Stripe.Subscription,
  charge: ProviderSubscription['next_charge'],
): Promise<ProviderSubscription['next_charge']> {
  if (charge === null || charge.tax_cents !== null || !automatic_tax.enabled) return charge;
  const bill = await stripe.invoices.createPreview({ subscription: id });
  const { charged } = settleBill(bill.total, bill.starting_balance, bill.currency);
  return { at: charge.at, cents: charged, tax_cents: taxOf(bill) };
}

/** Returns the tax in an invoice's total. */
export const taxOf = ({ total_taxes }: Stripe.Invoice): number =>
  (total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);

/** Returns the card to be charged: the subscription's own, or the customer's default. */
async function findPayingMethod(
  stripe: Stripe,
  { default_payment_method: own, customer }: Stripe.Subscription,
): Promise<Stripe.PaymentMethod | null> {
  if (own !== null && typeof own !== 'string') return own;
  const fallback =
    typeof customer === 'string' || customer.deleted
      ? null
      : idOf(customer.invoice_settings.default_payment_method);
  const id = own ?? fallback;
  return id === null ? null : stripe.paymentMethods.retrieve(id);
}

/** Returns the unpaid invoices of a subscription, oldest first. */
export async function listOpenInvoices(
  stripe: Stripe,
  subscription: string,
): Promise<Stripe.Invoice[]> {
  const { data } = await stripe.invoices.list({
    subscription,
    status: 'open',
    limit: 100,
    expand: ['data.payments'],
  });
  return data.reverse();
}

async function findOwed(
  stripe: Stripe,
  subscription: string,
  method: Stripe.PaymentMethod | null,
): Promise<Owed> {
  const open = await listOpenInvoices(stripe, subscription);
  // A renewal is first charged when its invoice is finalized.
  const instants = open
    .map((invoice) => invoice.status_transitions.finalized_at)
    .filter((instant) => instant !== null);
  const failure = open[0] === undefined ? null : await findFailure(stripe, open[0]);
  const isDeclined = method === null || method.id === failure?.method;
  const mustConfirm = method !== null && isDeclined && failure?.must_confirm === true;
  return {
    cents: open.reduce((total, invoice) => total + invoice.amount_remaining, 0),
    failed_at: instants.length === 0 ? null : instantOf(Math.min(...instants)),
    card_declined: isDeclined && !mustConfirm,
    confirm_url: mustConfirm ? (open[0]?.hosted_invoice_url ?? null) : null,
  };
}

/** Codes of payments that their owner hasn't confirmed, or tried to without success. */
const unconfirmed = ['authentication_required', 'payment_intent_authentication_failure'];

async function findFailure(
  stripe: Stripe,
  invoice: Stripe.Invoice,
): Promise<{ method: string | null; must_confirm: boolean } | null> {
  const intent = idOf(invoice.payments?.data[0]?.payment.payment_intent);
  if (intent === null) return null;
  const { status, last_payment_error, payment_method } =
    await stripe.paymentIntents.retrieve(intent);
  return {
    method: last_payment_error?.payment_method?.id ?? idOf(payment_method),
    must_confirm:
      status === 'requires_action' || unconfirmed.includes(last_payment_error?.code ?? ''),
  };
}

export function translateSubscription(
  subscription: Stripe.Subscription,
): Omit<ProviderSubscription, 'owed' | 'card'> {
  const item = subscription.items.data[0];
  const periodEnd = item === undefined ? null : instantOf(item.current_period_end);
  // The portal's cancellation sets only cancel_at, the API's only the boolean.
  const cancelAt =
    subscription.cancel_at !== null
      ? instantOf(subscription.cancel_at)
      : subscription.cancel_at_period_end
        ? periodEnd
        : null;
  const isLive = !ended.has(subscription.status);
  const free = freeDaysOf(subscription);
  const trialEnd = free === null ? subscription.trial_end : null;
  const isFree = free !== null && subscription.status === 'trialing';
  const price = item?.price.unit_amount ?? null;
  const paidPrice = movedFrom(subscription) ?? price;
  const isRunning = isLive && item !== undefined && price !== null && paidPrice !== null;
  return {
    id: subscription.id,
    stripe_customer_id: idOf(subscription.customer) ?? '',
    user_id: subscription.metadata.user_id ?? null,
    // An unknown status grants nothing.
    status: isFree ? 'active' : (statuses[subscription.status] ?? 'expired'),
    is_live: isLive,
    ended_unpaid:
      subscription.status === 'unpaid' ||
      (!isLive && subscription.cancellation_details?.reason === 'payment_failed'),
    plan: planOf(subscription),
    started_at: instantOf(subscription.start_date),
    trial_end: trialEnd === null ? null : instantOf(trialEnd),
    free_until: isFree ? instantOf(free.until) : null,
    current_period_start:
      item === undefined ? null : instantOf(isFree ? free.paidFrom : item.current_period_start),
    current_period_end: periodEnd,
    cancel_at_period_end: isLive && cancelAt !== null,
    cancel_at: isLive ? cancelAt : null,
    price_cents: paidPrice,
    promotion_id: subscription.metadata.promotion_id ?? null,
    discount_cents: isRunning ? discountAt(subscription, price, item.current_period_end) : 0,
    recurring_discount_cents: isRunning
      ? discountAt(subscription, paidPrice, item.current_period_end, isRecurring)
      : 0,
    balance_cents: balanceOf(subscription.customer),
    next_charge:
      isLive && subscription.pause_collection === null
        ? nextCharge(subscription, cancelAt !== null)
        : null,
    is_paused: subscription.pause_collection !== null,
    is_paused_by_us: isPausedByUs(subscription),
  };
}

export function planOf({ items }: Stripe.Subscription): PlanId {
  const { interval, interval_count = 1 } = items.data[0]?.price.recurring ?? {};
  const months = interval === 'year' ? 12 * interval_count : interval_count;
  return planIds.find((id) => planTerms[id].months === months) ?? defaultPlan;
}

/** Metadata of a subscription whose next renewal is the first at another price. */
export const movedPrice = (move: { price: string; fromCents: number; at: number }) => ({
  moved_price: move.price,
  moved_from_cents: String(move.fromCents),
  moved_at: String(move.at),
});

/** Returns the price of the current period if the subscription's price only applies from its renewal, or null. */
function movedFrom({ items, metadata }: Stripe.Subscription): number | null {
  const item = items.data[0];
  return item !== undefined &&
    metadata.moved_price === item.price.id &&
    item.current_period_start < Number(metadata.moved_at)
    ? Number(metadata.moved_from_cents)
    : null;
}

const isRecurring = ({ duration }: Stripe.Coupon): boolean => duration !== 'once';

/** Returns what the subscription's discounts take off an invoice created at that instant (Unix seconds). */
export function discountAt(
  { discounts }: Stripe.Subscription,
  priceCents: number,
  at: number,
  counts: (coupon: Stripe.Coupon) => boolean = () => true,
): number {
  return discounts.reduce((total, discount) => {
    const coupon = typeof discount === 'string' ? null : discount.source.coupon;
    if (typeof discount === 'string' || typeof coupon === 'string')
      throw new Error('discounts must be read with their coupons');
    const applies =
      coupon !== null && (discount.end === null || discount.end > at) && counts(coupon);
    if (!applies) return total;
    const off =
      coupon.percent_off === null
        ? (coupon.amount_off ?? 0)
        : Math.round((priceCents * coupon.percent_off) / 100);
    return Math.min(priceCents, total + off);
  }, 0);
}

/** Returns what the renewal after another invoice costs: discounts of one payment are used up then. */
export const renewalAfter = (
  subscription: Stripe.Subscription,
  priceCents: number,
  at: number,
): number => priceCents - discountAt(subscription, priceCents, at, isRecurring);

/** Metadata of a subscription whose provider trial is free time (Unix seconds). */
export const freeTime = (until: number, paidFrom: number) => ({
  free_until: String(until),
  paid_from: String(paidFrom),
});

/** Returns free days given on a running plan, with the start of its paid period, or null. */
export function freeDaysOf({
  trial_end,
  metadata,
}: Stripe.Subscription): { until: number; paidFrom: number } | null {
  const until = Number(metadata.free_until);
  return trial_end !== null && until === trial_end
    ? { until, paidFrom: Number(metadata.paid_from) }
    : null;
}

function balanceOf(customer: Stripe.Subscription['customer']): number | null {
  return typeof customer === 'string' || customer.deleted ? null : customer.balance;
}

/** Returns an open invoice first, or else the renewal, unless the subscription ends before it. */
function nextCharge(
  subscription: Stripe.Subscription,
  ends: boolean,
): ProviderSubscription['next_charge'] {
  const balance = balanceOf(subscription.customer) ?? 0;
  const bill = typeof subscription.latest_invoice === 'string' ? null : subscription.latest_invoice;
  const taxed = subscription.automatic_tax.enabled;
  if (bill?.status === 'draft' && bill.auto_advance) {
    const at = bill.automatically_finalizes_at ?? bill.created;
    const { charged } = settleBill(bill.total, balance, bill.currency);
    return { at: instantOf(at), cents: charged, tax_cents: taxed ? taxOf(bill) : null };
  }
  if (bill?.status === 'open') {
    const at = bill.next_payment_attempt;
    const tax_cents = taxed ? taxOf(bill) : null;
    return at === null ? null : { at: instantOf(at), cents: bill.amount_remaining, tax_cents };
  }
  const item = subscription.items.data[0];
  if (ends || item === undefined || !renewing.has(subscription.status)) return null;
  const price = item.price.unit_amount ?? 0;
  const off = discountAt(subscription, price, item.current_period_end);
  const { charged } = settleBill(price - off, balance, subscription.currency);
  return { at: instantOf(item.current_period_end), cents: charged, tax_cents: null };
}

function cardOf(method: Stripe.PaymentMethod | null): Card | null {
  if (method?.card === undefined) return null;
  const { fingerprint, brand, last4 } = method.card;
  return { fingerprint: fingerprint ?? null, brand, last4 };
}

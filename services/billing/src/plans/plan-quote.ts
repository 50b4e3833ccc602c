import { hourMs } from '@daylift/clock/durations';
import type { PlanPreview } from '@daylift/contracts/billing.http';
import { isCurrency } from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { BillingDeps } from '../deps.ts';
import { BillUnderWay, PlanUnavailable } from '../errors.ts';
import { isFullyRefunded } from '../invoices/invoices.repository.ts';
import { findPromotion } from '../promotions/promotions.repository.ts';
import { instantOf } from '../stripe-client.ts';
import { discountAt, planOf, renewalAfter } from '../subscriptions/provider-subscription.ts';
import { settleBill } from '../subscriptions/settle-bill.ts';
import type { WantedChange } from './plan-actions.ts';

type Deps = Pick<BillingDeps, 'db' | 'stripe' | 'clock' | 'catalogues' | 'prices'>;

/** The price of a change, with the parameters that produce exactly that at the provider. */
export interface Quote {
  preview: PlanPreview;
  update: Stripe.SubscriptionUpdateParams;
}

export async function quoteOf(
  deps: Deps,
  current: Stripe.Subscription,
  wanted: WantedChange,
): Promise<Quote> {
  const promotion = await promotionTerms(deps, current, wanted);
  const subscription = promotion.discounts === '' ? { ...current, discounts: [] } : current;
  if (subscription.status === 'trialing' && wanted.action === 'switch') {
    const { preview, update } = await switchInTrial(deps, subscription, wanted);
    return { preview, update: { ...update, ...promotion, ...forgetMove(subscription) } };
  }
  rejectUnsettled(subscription);
  const items = await itemsFor(deps, subscription, wanted);
  const terms = { items, ...(await unusedTimeTerms(deps, subscription, wanted)) };
  const bill = await deps.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: terms,
    ...promotion,
  });
  return {
    preview: previewOf(subscription, bill, wanted),
    // A declined card then changes nothing.
    update: {
      ...terms,
      ...promotion,
      ...(planOf(subscription) !== wanted.plan && forgetMove(subscription)),
      ...clearCancellation(subscription),
      payment_behavior: 'error_if_incomplete',
    },
  };
}

/** Unused time becomes credit, unless it was never paid or its payment was returned. */
async function unusedTimeTerms(
  { db, clock }: Deps,
  subscription: Stripe.Subscription,
  { action }: WantedChange,
): Promise<Partial<Stripe.SubscriptionUpdateParams>> {
  if (action === 'upgrade') return { trial_end: 'now', proration_behavior: 'none' };
  const { latest_invoice: bill } = subscription;
  const isUnpaid =
    bill !== null &&
    typeof bill !== 'string' &&
    (bill.status === 'void' || (await isFullyRefunded(db, bill.id)));
  if (isUnpaid) return { proration_behavior: 'none' };
  return {
    proration_behavior: 'always_invoice',
    proration_date: prorationDate(subscription, clock.now()),
  };
}

/** A promotion for one plan only ends with that plan. */
async function promotionTerms(
  { db }: Deps,
  { discounts, metadata }: Stripe.Subscription,
  { plan }: WantedChange,
): Promise<{ discounts?: '' }> {
  if (discounts.length === 0 || metadata.promotion_id === undefined) return {};
  const promotion = await findPromotion(db, metadata.promotion_id);
  return (promotion?.plan ?? plan) === plan ? {} : { discounts: '' };
}

/** A plan is changed in the currency that it's paid in. */
function catalogueOf({ catalogues }: Deps, { currency }: Stripe.Subscription): Catalogue {
  if (!isCurrency(currency)) throw new PlanUnavailable();
  return catalogues[currency];
}

/** During a trial only the amount charged at its end changes. */
async function switchInTrial(
  deps: Deps,
  subscription: Stripe.Subscription,
  wanted: WantedChange,
): Promise<Quote> {
  const catalogue = catalogueOf(deps, subscription);
  const { customer, trial_end: end } = subscription;
  const balance = typeof customer === 'string' || customer.deleted ? 0 : customer.balance;
  const { price_cents: price } = catalogue.plans[wanted.plan];
  const items = await itemsFor(deps, subscription, wanted);
  const renews = !subscription.cancel_at_period_end && subscription.cancel_at === null;
  const chargedAtEnd = async () =>
    subscription.automatic_tax.enabled
      ? await taxedRenewal(deps, subscription, items)
      : settleBill(price - discountAt(subscription, price, end ?? 0), balance, catalogue.currency);
  return {
    preview: {
      plan: wanted.plan,
      charge_now_cents: 0,
      credit_cents: 0,
      next_charge:
        // The provider refuses to preview a charge that won't happen.
        renews && end !== null
          ? { at: instantOf(end).toISOString(), amount_cents: (await chargedAtEnd()).charged }
          : null,
      currency: catalogue.currency,
    },
    update: { items, proration_behavior: 'none' },
  };
}

async function taxedRenewal(
  { stripe }: Deps,
  { id, discounts }: Stripe.Subscription,
  items: { id: string; price: string }[],
) {
  const bill = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { items, proration_behavior: 'none' },
    ...(discounts.length === 0 && { discounts: '' as const }),
  });
  return settleBill(bill.total, bill.starting_balance, bill.currency);
}

/** Another plan has its own price from now on. */
const forgetMove = ({ metadata }: Stripe.Subscription) =>
  metadata.moved_price === undefined ? {} : { metadata: { moved_price: '' } };

/** An unpaid amount must not become credit. */
function rejectUnsettled({ latest_invoice: bill }: Stripe.Subscription): void {
  if (bill === null || typeof bill === 'string') return;
  if (bill.status === 'draft' || bill.status === 'open') throw new BillUnderWay();
}

async function itemsFor(
  deps: Deps,
  subscription: Stripe.Subscription,
  { plan }: WantedChange,
): Promise<{ id: string; price: string }[]> {
  const price = await deps.prices.find(plan, catalogueOf(deps, subscription).currency);
  const item = subscription.items.data[0];
  if (item === undefined) throw new PlanUnavailable();
  // A subscriber who stays on a plan keeps its original price.
  return [{ id: item.id, price: planOf(subscription) === plan ? item.price.id : price }];
}

/** Rounded down to the hour, so a shown amount stays valid while the subscriber decides. */
function prorationDate({ items }: Stripe.Subscription, now: Date): number {
  const hour = Math.floor(now.getTime() / hourMs) * 3600;
  return Math.max(hour, items.data[0]?.current_period_start ?? 0);
}

/** Paying now continues the subscription, so a planned end is removed, whether set by the API or the portal. */
export function clearCancellation(
  subscription: Stripe.Subscription,
): Pick<Stripe.SubscriptionUpdateParams, 'cancel_at' | 'cancel_at_period_end'> {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false };
  return subscription.cancel_at === null ? {} : { cancel_at: '' };
}

function previewOf(
  subscription: Stripe.Subscription,
  bill: Stripe.Invoice,
  { plan }: WantedChange,
): PlanPreview {
  const { balance } = settleBill(bill.total, bill.starting_balance, bill.currency);
  const period = bill.lines.data.find(
    (line) => line.parent?.subscription_item_details?.proration === false,
  );
  return {
    plan,
    charge_now_cents: bill.amount_due,
    credit_cents: Math.max(0, -bill.total),
    next_charge:
      period === undefined
        ? null
        : {
            at: instantOf(period.period.end).toISOString(),
            amount_cents: settleBill(
              withTax(renewalAfter(subscription, period.amount, period.period.end), period),
              balance,
              bill.currency,
            ).charged,
          },
    currency: bill.currency,
  };
}

/** Returns an amount with tax at the rate of an invoice line. */
function withTax(cents: number, { taxes }: Stripe.InvoiceLineItem): number {
  const added = (taxes ?? []).reduce(
    (sum, { amount, taxable_amount }) => sum + (taxable_amount ? amount / taxable_amount : 0),
    0,
  );
  return cents + Math.round(cents * added);
}

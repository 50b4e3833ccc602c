import { rejectOtherCurrency } from '../customers/balance.ts';
import { discountsAfter, startDiscount } from '../invoices/discounts.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { periodCharging, trialCharging } from '../invoices/invoice-lines.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import {
  type Customer,
  type Invoice,
  nulls,
  type Price,
  type Subscription,
} from '../state/objects.ts';
import { collectInvoice } from './collection.ts';
import { nextBoundary } from './periods.ts';
import { announceTrialEnd, buildItem, itemOf, itemsWith, monthsOf } from './subscriptions.ts';

interface SubscriptionSpec {
  customer: Customer;
  price: Price;
  /** Null without a trial. */
  trial_end: number | null;
  default_payment_method: string;
  metadata: Record<string, string>;
  trial_settings: Subscription['trial_settings'];
  promotion?: { coupon: string; code: string | null } | undefined;
  /** Whether the customer is there to confirm for the bank. */
  present: boolean;
  taxed?: boolean;
}

interface NewSubscription {
  subscription: Subscription;
  invoice: Invoice;
}

/**
 * Starts a subscription, with its first invoice finalized and charged immediately. The caller has checked the card, and
 * emits the creation, because Stripe emits the invoice first.
 */
export function createSubscription(act: Act, spec: SubscriptionSpec): NewSubscription {
  const { tables } = act;
  const built = buildSubscription(act, spec);
  const target = { customer: spec.customer.id, subscription: built.id };
  const discount = spec.promotion && startDiscount(act, target, spec.promotion);
  const customer = tables.customers.get(spec.customer.id);
  rejectOtherCurrency(customer, built.currency);
  tables.customers.save({ ...customer, currency: built.currency });
  const created = { ...built, discounts: discount ? [discount.id] : [] };
  tables.subscriptions.save(created, { trial_will_end_sent: false });
  const charge = spec.trial_end === null ? periodCharging : trialCharging;
  const draft = draftInvoice(act, {
    customer: spec.customer,
    subscription: created,
    billing_reason: 'subscription_create',
    charging: [charge(tables, itemOf(created))],
    period: { start: act.at, end: act.at },
    finalizes_at: null,
  });
  const first = finalizeInvoice(act, draft);
  // A one-time coupon is used up here even by the $0 invoice of a trial. Stripe doesn't document whether it is there.
  const discounts = discountsAfter(act, created);
  tables.subscriptions.save({ ...created, discounts, latest_invoice: draft.id });
  const { invoice } =
    first.status === 'open'
      ? collectInvoice(act, first, { present: spec.present, planned: false })
      : { invoice: first };
  return { subscription: tables.subscriptions.get(created.id), invoice };
}

/** Announces the end of a trial of at most three days as soon as it starts. */
export function announceShortTrial(act: Act, subscription: Subscription): void {
  const { status, trial_end } = subscription;
  if (status === 'trialing' && trial_end! - act.at <= 3 * 86_400)
    announceTrialEnd(act, subscription);
}

function buildSubscription(act: Act, spec: SubscriptionSpec): Subscription {
  const { price, trial_end } = spec;
  const id = newId('sub');
  const period = {
    start: act.at,
    end: trial_end ?? nextBoundary(act.at, monthsOf(price), act.at),
  };
  return {
    ...nulls('application application_fee_percent billing_cycle_anchor_config billing_thresholds'),
    ...nulls('cancel_at canceled_at customer_account days_until_due default_source description'),
    ...nulls('ended_at latest_invoice managed_payments next_pending_invoice_item_invoice'),
    ...nulls('on_behalf_of pause_collection pending_invoice_item_interval pending_setup_intent'),
    ...nulls('pending_update schedule test_clock transfer_data'),
    id,
    object: 'subscription',
    automatic_tax: { enabled: spec.taxed === true, ...nulls('disabled_reason liability') },
    billing_cycle_anchor: trial_end ?? act.at,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: nulls('comment feedback feedback_option reason'),
    collection_method: 'charge_automatically',
    created: act.at,
    currency: price.currency,
    customer: spec.customer.id,
    default_payment_method: spec.default_payment_method,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids custom_fields description footer'),
      issuer: { type: 'self' },
    },
    items: itemsWith(buildItem(act.at, id, price, period), period),
    livemode: false,
    metadata: spec.metadata,
    payment_settings: {
      ...nulls('payment_method_options payment_method_types'),
      save_default_payment_method: 'off',
    },
    start_date: act.at,
    status: trial_end === null ? 'active' : 'trialing',
    trial_end,
    trial_settings: spec.trial_settings,
    trial_start: trial_end === null ? null : act.at,
  };
}

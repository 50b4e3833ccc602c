import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { periodCharging, trialCharging } from '../invoices/invoice-lines.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Customer, type Invoice, nulls, type Subscription } from '../state/objects.ts';
import { collectInvoice } from './collection.ts';
import { nextBoundary } from './periods.ts';
import {
  announceTrialEnd,
  buildItem,
  commonInterval,
  type ItemSpec,
  itemList,
} from './subscriptions.ts';

const DAY = 86_400;

interface SubscriptionSpec {
  customer: Customer;
  items: ItemSpec[];
  trial_end: number | null;
  default_payment_method: string | null;
  metadata: Record<string, string>;
  description: string | null;
  trial_settings: Subscription['trial_settings'];
  cancel_at_period_end?: boolean;
  /** Whether the customer is there to confirm for the bank. */
  present: boolean;
  /** Leaves the first invoice unpaid for the caller to pay. */
  wait_for_payment?: boolean;
}

interface NewSubscription {
  subscription: Subscription;
  invoice: Invoice;
}

/** Starts a subscription, with its first invoice finalized and charged at once. */
export function createSubscription(act: Act, spec: SubscriptionSpec): NewSubscription {
  const { tables } = act;
  const trialing = spec.trial_end !== null && spec.trial_end > act.at;
  const begun = buildSubscription(act, spec, trialing);
  tables.subscriptions.save(begun, { trial_will_end_sent: false });
  const period = { start: act.at, end: begun.items.data[0]!.current_period_end };
  const draft = draftInvoice(act, {
    customer: spec.customer,
    subscription: begun,
    billing_reason: 'subscription_create',
    charging: begun.items.data.map((item) =>
      trialing ? trialCharging(tables, item, period) : periodCharging(tables, item, period),
    ),
    period: { start: act.at, end: act.at },
    finalizes_at: null,
  });
  const first = finalizeInvoice(act, draft);
  tables.subscriptions.save({ ...begun, latest_invoice: draft.id });
  const method = tables.paymentMethods.find(spec.default_payment_method ?? '');
  const options = { method, present: spec.present, planned: false, first: true };
  const invoice =
    first.status === 'open' && !spec.wait_for_payment
      ? collectInvoice(act, first, options).invoice
      : first;
  const status = trialing ? 'trialing' : invoice.status === 'paid' ? 'active' : 'incomplete';
  const current = tables.subscriptions.get(begun.id);
  return { subscription: amend(act, tables.subscriptions, current, { status }), invoice };
}

/** Emits the creation of a subscription. Separate from the creation, because Stripe emits the invoice first. */
export function announceSubscription(act: Act, subscription: Subscription): void {
  act.emit('customer.subscription.created', subscription);
}

/** Announces the end of a trial of at most three days as soon as it begins. */
export function announceShortTrial(act: Act, subscription: Subscription): void {
  if (subscription.status !== 'trialing') return;
  if (subscription.trial_end! - act.at <= 3 * DAY) announceTrialEnd(act, subscription);
}

function buildSubscription(act: Act, spec: SubscriptionSpec, trialing: boolean): Subscription {
  const id = newId('sub');
  const { interval, count } = commonInterval(spec.items.map((item) => item.price));
  const anchor = trialing ? spec.trial_end! : act.at;
  const end = trialing ? anchor : nextBoundary(anchor, interval, count, act.at);
  const items = spec.items.map((item) => buildItem(act.at, id, item, { start: act.at, end }));
  const canceling = spec.cancel_at_period_end ?? false;
  return {
    ...constantFields(),
    id,
    billing_cycle_anchor: anchor,
    cancel_at: canceling ? end : null,
    cancel_at_period_end: canceling,
    canceled_at: canceling ? act.at : null,
    created: act.at,
    currency: spec.items[0]!.price.currency,
    customer: spec.customer.id,
    default_payment_method: spec.default_payment_method,
    description: spec.description,
    items: itemList(id, items),
    metadata: spec.metadata,
    start_date: act.at,
    status: trialing ? 'trialing' : 'incomplete',
    trial_end: trialing ? anchor : null,
    trial_settings: spec.trial_settings,
    trial_start: trialing ? act.at : null,
  };
}

function constantFields() {
  return {
    ...nulls('application application_fee_percent billing_cycle_anchor_config billing_thresholds'),
    ...nulls('customer_account days_until_due default_source ended_at latest_invoice'),
    ...nulls('managed_payments next_pending_invoice_item_invoice on_behalf_of pause_collection'),
    ...nulls('pending_invoice_item_interval pending_setup_intent pending_update schedule'),
    ...nulls('test_clock transfer_data'),
    object: 'subscription' as const,
    automatic_tax: { enabled: false, ...nulls('disabled_reason liability') },
    billing_mode: {
      type: 'flexible' as const,
      flexible: { proration_discounts: 'included' as const },
    },
    billing_schedules: [],
    cancellation_details: nulls('comment feedback feedback_option reason'),
    collection_method: 'charge_automatically' as const,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids custom_fields description footer'),
      issuer: { type: 'self' as const },
    },
    livemode: false,
    payment_settings: {
      ...nulls('payment_method_options payment_method_types'),
      save_default_payment_method: 'off' as const,
    },
  };
}

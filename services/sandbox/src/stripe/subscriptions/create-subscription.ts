import { newId } from '../api/ids.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { periodCharging, trialCharging } from '../invoices/invoice-lines.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import { type Act, amend } from '../state/act.ts';
import type { Customer, Invoice, Subscription } from '../state/objects.ts';
import { type Collection, collectInvoice } from './collection.ts';
import { nextBoundary } from './periods.ts';
import {
  announceTrialEnd,
  buildItem,
  commonInterval,
  type ItemSpec,
  itemList,
} from './subscriptions.ts';

const DAY = 86_400;

export interface SubscriptionSpec {
  customer: Customer;
  items: ItemSpec[];
  trial_end: number | null;
  default_payment_method: string | null;
  metadata: Record<string, string>;
  description: string | null;
  trial_settings: Subscription['trial_settings'];
  cancel_at_period_end?: boolean;
  /** The customer is there and confirms what the bank asks. */
  present: boolean;
  /** Leaves the first invoice unpaid for the caller to pay. */
  wait_for_payment?: boolean;
}

export interface NewSubscription {
  subscription: Subscription;
  invoice: Invoice;
  /** Null where nothing had to be paid. */
  collection: Collection | null;
}

/** Starts a subscription: its first invoice is made, fixed and, where it asks for money, charged at once. */
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
  const fixed = finalizeInvoice(act, draft);
  const linked = { ...begun, latest_invoice: draft.id };
  tables.subscriptions.save(linked, { trial_will_end_sent: false });
  const collection =
    fixed.status === 'open' && !spec.wait_for_payment ? collectFirst(act, fixed, spec) : null;
  const invoice = collection?.invoice ?? fixed;
  const status = trialing ? 'trialing' : invoice.status === 'paid' ? 'active' : 'incomplete';
  const current = tables.subscriptions.find(begun.id)!;
  const subscription = amend(act, tables.subscriptions, current, { status }, null);
  return { subscription, invoice, collection };
}

/** Reports a new subscription, apart from its making because Stripe reports the invoice first. */
export function announceSubscription(act: Act, subscription: Subscription): void {
  act.emit('customer.subscription.created', subscription);
}

/** A trial of at most three days is announced to end as soon as it begins. */
export function announceShortTrial(act: Act, subscription: Subscription): void {
  if (subscription.status !== 'trialing') return;
  if (subscription.trial_end! - act.at <= 3 * DAY) announceTrialEnd(act, subscription);
}

function collectFirst(act: Act, invoice: Invoice, spec: SubscriptionSpec): Collection {
  const method = act.tables.paymentMethods.find(spec.default_payment_method ?? '');
  return collectInvoice(act, invoice, {
    method,
    present: spec.present,
    planned: false,
    first: true,
  });
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
    object: 'subscription' as const,
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor_config: null,
    billing_mode: {
      type: 'flexible' as const,
      flexible: { proration_discounts: 'included' as const },
    },
    billing_schedules: [],
    billing_thresholds: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically' as const,
    customer_account: null,
    days_until_due: null,
    default_source: null,
    default_tax_rates: [],
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' as const },
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off' as const,
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    test_clock: null,
    transfer_data: null,
  };
}

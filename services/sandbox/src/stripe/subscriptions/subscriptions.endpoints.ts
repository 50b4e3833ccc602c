import { endpoint, reads } from '../api/endpoint.ts';
import {
  boolean,
  emptyable,
  hash,
  type Input,
  integer,
  integerBetween,
  list,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
  wordOr,
} from '../api/params.ts';
import { missingReference, refused } from '../api/stripe-error.ts';
import { referPrice } from '../catalogue/prices.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import { type Act, amend } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { noCard, refuseUnpayable } from './collection.ts';
import {
  announceShortTrial,
  announceSubscription,
  createSubscription,
} from './create-subscription.ts';
import { endSubscription, hasEnded } from './end-subscription.ts';
import {
  itemChange,
  itemChanges,
  prorationBehavior,
  quantity,
  trialSettings,
  wholeTrialSettings,
} from './params.ts';
import { creditsOf } from './plan-change.ts';
import { amendSubscription, currentPeriod, payingMethod } from './subscriptions.ts';
import { updateSubscription } from './update-subscription.ts';

const shared = {
  cancel_at_period_end: optional(boolean),
  default_payment_method: optional(emptyable(text)),
  description: optional(emptyable(text)),
  metadata: optional(metadata),
  off_session: optional(boolean),
  payment_behavior: optional(
    oneOf('allow_incomplete', 'error_if_incomplete', 'default_incomplete'),
  ),
  proration_behavior: optional(prorationBehavior),
  trial_end: optional(wordOr('now', integer)),
  trial_settings: optional(trialSettings),
};
const createParams = {
  ...shared,
  customer: text,
  items: list(hash({ price: text, quantity: optional(quantity), metadata: optional(metadata) })),
  trial_period_days: optional(integerBetween(1, 730)),
};
const updateParams = {
  ...shared,
  billing_cycle_anchor: optional(oneOf('now', 'unchanged')),
  cancel_at: optional(emptyable(wordOr('min_period_end', wordOr('max_period_end', integer)))),
  items: optional(list(itemChange)),
  proration_date: optional(integer),
};
const cancelParams = { invoice_now: optional(boolean), prorate: optional(boolean) };

/** Returns the card of a parameter, which must be attached to the customer. */
function ownMethod(
  { paymentMethods }: Tables,
  customer: string,
  method: string | null | undefined,
): string | null {
  if (!method) return null;
  if (paymentMethods.find(method)?.customer === customer) return method;
  throw missingReference('PaymentMethod', method, 'default_payment_method');
}

function create(act: Act, input: Input<typeof createParams>): Subscription {
  const { tables } = act;
  const customer = tables.customers.refer(input.customer, 'customer');
  if (tables.customers.hidden(customer.id).deleted) {
    throw missingReference('customer', customer.id, 'customer');
  }
  const given = typeof input.trial_end === 'number' ? input.trial_end : null;
  const days = input.trial_period_days;
  const trial_end = days === undefined ? given : act.at + days * 86_400;
  const default_payment_method = ownMethod(tables, customer.id, input.default_payment_method);
  if (trial_end === null && input.payment_behavior !== 'default_incomplete') {
    const paying = default_payment_method ?? customer.invoice_settings.default_payment_method;
    if (!paying) throw noCard();
    if (input.payment_behavior === 'error_if_incomplete') refuseUnpayable(act, paying);
  }
  const { subscription } = createSubscription(act, {
    customer,
    items: input.items.map((item, index) => ({
      price: referPrice(act, item.price, `items[${index}][price]`),
      quantity: item.quantity ?? 1,
      metadata: patchMetadata({}, item.metadata),
    })),
    trial_end,
    default_payment_method,
    metadata: patchMetadata({}, input.metadata),
    description: input.description ?? null,
    trial_settings: wholeTrialSettings(input.trial_settings),
    cancel_at_period_end: input.cancel_at_period_end ?? false,
    present: false,
    wait_for_payment: input.payment_behavior === 'default_incomplete',
  });
  announceSubscription(act, subscription);
  announceShortTrial(act, subscription);
  return subscription;
}

function update(act: Act, input: Input<typeof updateParams>, id: string): Subscription {
  const { tables } = act;
  const subscription = tables.subscriptions.get(id);
  if (hasEnded(subscription)) {
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const { default_payment_method: method, description, trial_settings } = input;
  const { payment_behavior, cancel_at, cancel_at_period_end } = input;
  return updateSubscription(act, subscription, {
    fields: {
      metadata: patchMetadata(subscription.metadata, input.metadata),
      ...(description !== undefined && { description }),
      ...(method !== undefined && {
        default_payment_method: ownMethod(tables, subscription.customer, method),
      }),
      ...(trial_settings && { trial_settings: wholeTrialSettings(trial_settings) }),
    },
    plan: {
      items: itemChanges(act, input.items),
      proration: input.proration_behavior ?? 'create_prorations',
      trial_end: input.trial_end ?? null,
      reset_anchor: input.billing_cycle_anchor === 'now',
      prorated_from: input.proration_date ?? null,
    },
    payment_behavior,
    cancel_at,
    cancel_at_period_end,
  });
}

function cancel(act: Act, input: Input<typeof cancelParams>, id: string): Subscription {
  const { tables } = act;
  const subscription = tables.subscriptions.get(id);
  if (hasEnded(subscription)) throw missingReference('subscription', id, 'id');
  const canceled = endSubscription(act, subscription, 'cancellation_requested');
  const isProrated = input.prorate && subscription.status !== 'trialing';
  const credits = isProrated ? creditsOf(tables, subscription, act.at) : [];
  if (credits.length === 0) return canceled;
  const draft = draftInvoice(act, {
    customer: tables.customers.get(subscription.customer),
    subscription: canceled,
    billing_reason: 'subscription_update',
    charging: credits,
    period: currentPeriod(subscription),
    finalizes_at: null,
  });
  finalizeInvoice(act, draft);
  return amend(act, tables.subscriptions, canceled, { latest_invoice: draft.id });
}

/** Resumes a subscription that was paused because it had no card. */
function resume(act: Act, id: string): Subscription {
  const subscription = act.tables.subscriptions.get(id);
  if (subscription.status !== 'paused') {
    throw refused('Only a paused subscription can be resumed.');
  }
  const { status_details: _, ...rest } = subscription;
  if (!payingMethod(act, rest)) throw noCard();
  act.tables.subscriptions.save(rest);
  const resumed = updateSubscription(act, amendSubscription(act, rest, { status: 'active' }), {
    fields: {},
    plan: {
      items: [],
      proration: 'none',
      trial_end: null,
      reset_anchor: true,
      prorated_from: null,
    },
  });
  act.emit('customer.subscription.resumed', resumed);
  return resumed;
}

const filterParams = {
  customer: optional(text),
  price: optional(text),
  status: optional(
    oneOf(
      'active',
      'all',
      'canceled',
      'ended',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ),
  ),
};

export const subscriptionEndpoints = [
  endpoint('POST', '/v1/subscriptions', createParams, create),
  endpoint('POST', '/v1/subscriptions/:id', updateParams, update),
  endpoint('DELETE', '/v1/subscriptions/:id', cancelParams, cancel),
  endpoint(
    'POST',
    '/v1/subscriptions/:id/resume',
    {
      billing_cycle_anchor: optional(oneOf('now', 'unchanged')),
      proration_behavior: optional(prorationBehavior),
    },
    (act, _input, id) => resume(act, id),
  ),
  // Without a status, ended subscriptions are omitted.
  ...reads(
    '/v1/subscriptions',
    (tables) => tables.subscriptions,
    filterParams,
    (_, input) => ({
      accepts: (subscription) => input.status !== undefined || !hasEnded(subscription),
      filters: {
        status: (subscription, status: string) =>
          status === 'all' ||
          (status === 'ended' ? hasEnded(subscription) : subscription.status === status),
        price: ({ items }, price: string) => items.data.some((item) => item.price.id === price),
      },
    }),
  ),
];

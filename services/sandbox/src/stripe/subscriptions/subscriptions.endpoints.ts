import { endpoint } from '../api/endpoint.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import { oneOf, patchMetadata, type Values } from '../api/params.ts';
import { missingReference, refused } from '../api/stripe-error.ts';
import { referPrice } from '../catalogue/prices.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import { chargeDecline } from '../payments/payment-intents.ts';
import { methodBehaviour } from '../payments/payment-methods.ts';
import { type Act, amend } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { noCard, paymentError } from './collection.ts';
import {
  announceShortTrial,
  announceSubscription,
  createSubscription,
} from './create-subscription.ts';
import { endSubscription } from './end-subscription.ts';
import { creditsOf, type ItemChange } from './plan-change.ts';
import {
  cancelParams,
  createParams,
  filterParams,
  prorationBehavior,
  updateParams,
  wholeTrialSettings,
} from './subscriptions.params.ts';
import { amendSubscription, currentPeriod, payingMethod } from './subscriptions.ts';
import { updateSubscription } from './update-subscription.ts';

/** The card of a parameter, which must be on the customer's file. */
function ownMethod(
  tables: Tables,
  customer: string,
  method: string | null | undefined,
): string | null {
  if (!method) return null;
  if (tables.paymentMethods.find(method)?.customer !== customer) {
    throw missingReference('PaymentMethod', method, 'default_payment_method');
  }
  return method;
}

function create(act: Act, input: Values<typeof createParams>): Subscription {
  const { tables } = act;
  const customer = refer(tables.customers, input.customer, 'customer');
  if (tables.customers.hidden(customer.id).deleted) {
    throw missingReference('customer', customer.id, 'customer');
  }
  const trial_end =
    input.trial_period_days !== undefined
      ? act.at + input.trial_period_days * 86_400
      : typeof input.trial_end === 'number'
        ? input.trial_end
        : null;
  const default_payment_method = ownMethod(tables, customer.id, input.default_payment_method);
  const paying = default_payment_method ?? customer.invoice_settings.default_payment_method;
  if (trial_end === null) refuseUnpayable(act, paying, input.payment_behavior);
  const made = createSubscription(act, {
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
  announceSubscription(act, made.subscription);
  announceShortTrial(act, made.subscription);
  return made.subscription;
}

/** Without a card nothing is started; with `error_if_incomplete` nothing that the card would refuse either. */
function refuseUnpayable(act: Act, method: string | null, behavior: string | undefined): void {
  if (behavior === 'default_incomplete') return;
  if (method === null) {
    throw noCard();
  }
  if (behavior !== 'error_if_incomplete') return;
  const decline = chargeDecline(act, methodBehaviour(act, method), false);
  if (decline) throw paymentError(decline);
}

function update(
  act: Act,
  subscription: Subscription,
  input: Values<typeof updateParams>,
): Subscription {
  const { tables } = act;
  if (['canceled', 'incomplete_expired'].includes(subscription.status)) {
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const { default_payment_method: method, description, cancellation_details } = input;
  const items = (input.items ?? []).map((item, index): ItemChange => {
    const { price, metadata: patch, ...rest } = item;
    return {
      ...rest,
      ...(price ? { price: referPrice(act, price, `items[${index}][price]`) } : {}),
      metadata: patchMetadata({}, patch),
    };
  });
  return updateSubscription(act, subscription, {
    fields: {
      metadata: patchMetadata(subscription.metadata, input.metadata),
      ...(description === undefined ? {} : { description }),
      ...(method === undefined
        ? {}
        : { default_payment_method: ownMethod(tables, subscription.customer, method) }),
      ...(input.trial_settings ? { trial_settings: wholeTrialSettings(input.trial_settings) } : {}),
      ...(cancellation_details
        ? {
            cancellation_details: {
              ...subscription.cancellation_details!,
              ...cancellation_details,
            },
          }
        : {}),
    },
    plan: {
      items,
      proration: input.proration_behavior ?? 'create_prorations',
      trial_end: input.trial_end ?? null,
      reset_anchor: input.billing_cycle_anchor === 'now',
      prorated_from: input.proration_date ?? null,
    },
    payment_behavior: input.payment_behavior ?? 'allow_incomplete',
    ...(input.cancel_at_period_end === undefined
      ? {}
      : { cancel_at_period_end: input.cancel_at_period_end }),
    ...(input.cancel_at === undefined ? {} : { cancel_at: input.cancel_at }),
  });
}

function cancel(
  act: Act,
  subscription: Subscription,
  input: Values<typeof cancelParams>,
): Subscription {
  const { tables } = act;
  if (['canceled', 'incomplete_expired'].includes(subscription.status)) {
    throw missingReference('subscription', subscription.id, 'id');
  }
  const details = input.cancellation_details;
  const noted: Subscription = details
    ? {
        ...subscription,
        cancellation_details: { ...subscription.cancellation_details!, ...details },
      }
    : subscription;
  const canceled = endSubscription(act, noted, 'cancellation_requested');
  const credits =
    input.prorate && subscription.status !== 'trialing'
      ? creditsOf(tables, subscription, act.at)
      : [];
  if (credits.length === 0) return canceled;
  const draft = draftInvoice(act, {
    customer: tables.customers.find(subscription.customer)!,
    subscription: canceled,
    billing_reason: 'subscription_update',
    charging: credits,
    period: currentPeriod(subscription),
    finalizes_at: null,
  });
  finalizeInvoice(act, draft);
  return amend(act, tables.subscriptions, canceled, { latest_invoice: draft.id }, null);
}

/** Starts a subscription again that was paused for want of a card. */
function resume(act: Act, subscription: Subscription): Subscription {
  if (subscription.status !== 'paused') {
    throw refused('Only a paused subscription can be resumed.');
  }
  const { status_details: _, ...rest } = subscription;
  act.tables.subscriptions.save(rest, act.tables.subscriptions.hidden(rest.id));
  if (!payingMethod(act, rest)) {
    throw noCard();
  }
  const woken = amendSubscription(act, rest, { status: 'active' });
  const resumed = updateSubscription(act, woken, {
    fields: {},
    plan: {
      items: [],
      proration: 'none',
      trial_end: null,
      reset_anchor: true,
      prorated_from: null,
    },
    payment_behavior: 'allow_incomplete',
  });
  act.emit('customer.subscription.resumed', resumed);
  return resumed;
}

const over = ['canceled', 'incomplete_expired'];

function matches(subscription: Subscription, input: { status?: string; price?: string }): boolean {
  const { status, price } = input;
  const wanted =
    status === undefined
      ? !over.includes(subscription.status)
      : status === 'all' ||
        (status === 'ended' ? over.includes(subscription.status) : subscription.status === status);
  return (
    wanted &&
    (price === undefined || subscription.items.data.some((item) => item.price.id === price))
  );
}

export const subscriptionEndpoints = [
  endpoint('POST', '/v1/subscriptions', createParams, create),
  endpoint('GET', '/v1/subscriptions/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.subscriptions, id),
  ),
  endpoint('POST', '/v1/subscriptions/:id', updateParams, (act, input, { id }) =>
    update(act, demand(act.tables.subscriptions, id), input),
  ),
  endpoint('DELETE', '/v1/subscriptions/:id', cancelParams, (act, input, { id }) =>
    cancel(act, demand(act.tables.subscriptions, id), input),
  ),
  endpoint(
    'POST',
    '/v1/subscriptions/:id/resume',
    { billing_cycle_anchor: oneOf('now', 'unchanged'), proration_behavior: prorationBehavior },
    (act, _input, { id }) => resume(act, demand(act.tables.subscriptions, id)),
  ),
  endpoint('GET', '/v1/subscriptions', filterParams, ({ tables: { subscriptions } }, input) => {
    const ids = input.customer
      ? subscriptions.idsBy('customer', input.customer)
      : subscriptions.ids();
    return page(subscriptions, ids, input, '/v1/subscriptions', (each) => matches(each, input));
  }),
];

import { Type } from 'typebox';
import { endpoint, listed, read } from '../api/endpoint.ts';
import {
  boolean,
  emptyable,
  hash,
  type Input,
  integer,
  list,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { missingReference, refused } from '../api/stripe-error.ts';
import { referCustomer } from '../customers/customers.ts';
import type { Act } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';
import { rejectUnpayable } from './collection.ts';
import { createSubscription } from './create-subscription.ts';
import { endSubscription, hasEnded } from './end-subscription.ts';
import type { PlanChange } from './plan-change.ts';
import { itemOf } from './subscriptions.ts';
import { updateSubscription } from './update-subscription.ts';

const createParams = {
  customer: text,
  default_payment_method: text,
  items: list(hash({ price: text }), { minItems: 1, maxItems: 1 }),
  metadata: optional(metadata),
};
const planFields = {
  items: optional(list(hash({ id: text, price: text }), { minItems: 1, maxItems: 1 })),
  proration_behavior: optional(oneOf('always_invoice', 'none')),
  proration_date: optional(integer),
  trial_end: optional(Type.Union([oneOf('now'), integer])),
};
export const planParams = hash(planFields);
const updateParams = {
  ...planFields,
  cancel_at: optional(emptyable(integer)),
  cancel_at_period_end: optional(boolean),
  discounts: optional(emptyable(list(hash({ coupon: text }), { minItems: 1, maxItems: 1 }))),
  metadata: optional(metadata),
  pause_collection: optional(emptyable(hash({ behavior: oneOf('void') }))),
  payment_behavior: optional(oneOf('error_if_incomplete')),
};

/** Returns the change of plan that parameters ask for. */
export function readPlanChange(
  act: Act,
  subscription: Subscription,
  input: Input<typeof planFields>,
): PlanChange {
  const [item] = input.items ?? [];
  if (item && item.id !== itemOf(subscription).id)
    throw missingReference('subscription item', item.id, 'items[0][id]');
  return {
    price: item && act.tables.prices.refer(item.price, 'items[0][price]'),
    trial_end: input.trial_end,
    proration: input.proration_behavior,
    prorated_from: input.proration_date,
  };
}

function create(act: Act, input: Input<typeof createParams>): Subscription {
  const { tables } = act;
  const customer = referCustomer(tables, input.customer);
  const { default_payment_method } = input;
  if (tables.paymentMethods.find(default_payment_method)?.customer !== customer.id)
    throw missingReference('PaymentMethod', default_payment_method, 'default_payment_method');
  rejectUnpayable(act, default_payment_method);
  const { subscription } = createSubscription(act, {
    customer,
    price: tables.prices.refer(input.items[0]!.price, 'items[0][price]'),
    trial_end: null,
    default_payment_method,
    metadata: patchMetadata({}, input.metadata),
    trial_settings: null,
    present: false,
  });
  act.emit('customer.subscription.created', subscription);
  return subscription;
}

function update(act: Act, input: Input<typeof updateParams>, id: string): Subscription {
  const subscription = act.tables.subscriptions.get(id);
  if (hasEnded(subscription)) {
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const { cancel_at, cancel_at_period_end, payment_behavior, metadata, pause_collection } = input;
  return updateSubscription(act, subscription, {
    plan: readPlanChange(act, subscription, input),
    error_if_incomplete: payment_behavior !== undefined,
    cancel_at,
    cancel_at_period_end,
    discounts: input.discounts,
    metadata: patchMetadata(subscription.metadata, metadata),
    pause_collection,
  });
}

function cancel(act: Act, _input: object, id: string): Subscription {
  const subscription = act.tables.subscriptions.get(id);
  if (hasEnded(subscription)) throw missingReference('subscription', id, 'id');
  return endSubscription(act, subscription, 'cancellation_requested');
}

const statuses = oneOf('active', 'all', 'canceled', 'past_due', 'trialing');

export const subscriptionEndpoints = [
  endpoint('POST', '/v1/subscriptions', createParams, create),
  endpoint('POST', '/v1/subscriptions/:id', updateParams, update),
  endpoint('DELETE', '/v1/subscriptions/:id', {}, cancel),
  read('/v1/subscriptions', (tables) => tables.subscriptions),
  // Without a status, ended subscriptions are omitted.
  listed(
    '/v1/subscriptions',
    (tables) => tables.subscriptions,
    { customer: optional(text), status: optional(statuses) },
    (_, input) => ({
      accepts: (subscription) => input.status !== undefined || !hasEnded(subscription),
      filters: {
        status: (subscription, status: string) =>
          status === 'all' || subscription.status === status,
      },
    }),
  ),
];

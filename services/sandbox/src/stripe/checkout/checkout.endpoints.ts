import { endpoint } from '../api/endpoint.ts';
import { page, wholeList } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  boolean,
  currency,
  email,
  hash,
  integer,
  integerBetween,
  list,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  timeRange,
  url,
  type Values,
} from '../api/params.ts';
import { invalidRequest, missingReference, refused } from '../api/stripe-error.ts';
import { createPrice, recurring, referPrice } from '../catalogue/prices.ts';
import { createProduct } from '../catalogue/products.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutLineItem, CheckoutSession, Price } from '../state/objects.ts';
import { trialSettings, wholeTrialSettings } from '../subscriptions/subscriptions.params.ts';
import { commonInterval } from '../subscriptions/subscriptions.ts';
import { expireSession, lineItem, openSession } from './checkout-sessions.ts';

const HALF_HOUR = 1800;
const HOUR = 3600;

const priceData = {
  currency: required(currency),
  product: text,
  product_data: hash({ name: required(text), description: text, metadata }),
  recurring: hash(recurring),
  unit_amount: required(integerBetween(0, 99_999_999)),
};
const line = { price: text, price_data: hash(priceData), quantity: integerBetween(1, 1000) };
const subscriptionData = {
  description: text,
  metadata,
  trial_end: integer,
  trial_period_days: integerBetween(1, 730),
  trial_settings: trialSettings,
};
const createParams = {
  allow_promotion_codes: boolean,
  allowed_payment_method_types: list(oneOf('card', 'link')),
  automatic_tax: hash({ enabled: required(boolean) }),
  billing_address_collection: oneOf('auto', 'required'),
  cancel_url: url,
  client_reference_id: text,
  customer: text,
  customer_email: email,
  customer_update: hash({
    address: oneOf('auto', 'never'),
    name: oneOf('auto', 'never'),
    shipping: oneOf('auto', 'never'),
  }),
  expires_at: integer,
  line_items: list(hash(line)),
  locale: text,
  metadata,
  mode: required(oneOf('subscription', 'payment', 'setup')),
  payment_method_collection: oneOf('always', 'if_required'),
  phone_number_collection: hash({ enabled: required(boolean) }),
  subscription_data: hash(subscriptionData),
  success_url: url,
  ui_mode: oneOf('hosted_page', 'embedded_page', 'elements', 'form'),
};
type Input = Values<typeof createParams>;

function create(act: Act, input: Input): CheckoutSession {
  checkCombination(act, input);
  const line_items = (input.line_items ?? []).map((each, index) =>
    resolveLine(act, each, `line_items[${index}]`),
  );
  commonInterval(line_items.map((item) => item.price!));
  const data = input.subscription_data ?? {};
  return openSession(act, {
    customer: input.customer ?? null,
    customer_email: input.customer_email ?? null,
    client_reference_id: input.client_reference_id ?? null,
    success_url: input.success_url!,
    cancel_url: input.cancel_url ?? null,
    expires_at: input.expires_at ?? act.at + 24 * HOUR,
    metadata: patchMetadata({}, input.metadata),
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    payment_method_collection: input.payment_method_collection ?? 'always',
    locale: input.locale ?? null,
    hidden: {
      line_items,
      trial_period_days: data.trial_period_days ?? null,
      trial_end: data.trial_end ?? null,
      subscription_metadata: patchMetadata({}, data.metadata),
      subscription_description: data.description ?? null,
      trial_settings: wholeTrialSettings(data.trial_settings),
    },
  });
}

function checkCombination(act: Act, input: Input): void {
  const wrong = (message: string, param: string, code?: string) =>
    invalidRequest(message, code ? { code, param } : { param });
  if (input.mode !== 'subscription' || (input.ui_mode ?? 'hosted_page') !== 'hosted_page') {
    throw wrong('This sandbox has hosted Checkout for subscriptions only.', 'mode');
  }
  if (!input.success_url) {
    throw wrong('Missing required param: success_url.', 'success_url', 'parameter_missing');
  }
  if (!input.line_items?.length) {
    throw wrong('Missing required param: line_items.', 'line_items', 'parameter_missing');
  }
  if (input.line_items.length > 20) {
    throw wrong('At most 20 recurring line items can be given.', 'line_items');
  }
  if (input.customer !== undefined && input.customer_email !== undefined) {
    throw wrong(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
      'parameters_exclusive',
    );
  }
  if (input.customer_update && input.customer === undefined) {
    throw wrong('`customer_update` can only be used with `customer`.', 'customer_update');
  }
  if ((input.client_reference_id ?? '').length > 200) {
    throw wrong('client_reference_id can be up to 200 characters.', 'client_reference_id');
  }
  checkTimes(act, input);
  checkCustomer(act, input.customer);
}

function checkTimes(act: Act, input: Input): void {
  const { expires_at, subscription_data } = input;
  const early = expires_at !== undefined && expires_at < act.at + HALF_HOUR - 60;
  if (early || (expires_at ?? 0) > act.at + 24 * HOUR + 60) {
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours after Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  const { trial_end, trial_period_days } = subscription_data ?? {};
  if (trial_end !== undefined && trial_period_days !== undefined) {
    throw invalidRequest('You may only specify one of trial_end and trial_period_days.', {
      code: 'parameters_exclusive',
      param: 'subscription_data[trial_end]',
    });
  }
  if (trial_end !== undefined && trial_end < act.at + 48 * HOUR) {
    throw invalidRequest('The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    });
  }
}

function checkCustomer({ tables }: Act, id: string | undefined): void {
  if (id === undefined) return;
  refer(tables.customers, id, 'customer');
  if (tables.customers.hidden(id).deleted) throw missingReference('customer', id, 'customer');
}

function resolveLine(act: Act, each: Values<typeof line>, param: string): CheckoutLineItem {
  if (Boolean(each.price) === Boolean(each.price_data)) {
    throw invalidRequest(`You must specify exactly one of price and price_data in ${param}.`, {
      param,
    });
  }
  const price = each.price
    ? referPrice(act, each.price, `${param}[price]`)
    : inlinePrice(act, each.price_data!, param);
  if (each.quantity === undefined) {
    throw invalidRequest('Quantity is required. Add `quantity` to each line item.', {
      param: `${param}[quantity]`,
    });
  }
  return lineItem(act.tables, price, each.quantity);
}

function inlinePrice(act: Act, data: Values<typeof priceData>, param: string): Price {
  const { product, product_data, ...fields } = data;
  if (product) refer(act.tables.products, product, `${param}[price_data][product]`);
  if (Boolean(product) === Boolean(product_data)) {
    throw refused('Give exactly one of product and product_data.', {
      param: `${param}[price_data]`,
    });
  }
  const owner =
    product ??
    createProduct(act, {
      name: product_data!.name,
      description: product_data!.description ?? null,
      metadata: patchMetadata({}, product_data!.metadata),
    }).id;
  return createPrice(act, { ...fields, active: false, product: owner });
}

const filterParams = {
  ...listParams,
  created: timeRange,
  customer: text,
  customer_details: hash({ email: required(email) }),
  payment_intent: text,
  status: oneOf('complete', 'expired', 'open'),
  subscription: text,
};

export const checkoutEndpoints = [
  endpoint('POST', '/v1/checkout/sessions', createParams, create),
  endpoint('GET', '/v1/checkout/sessions/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.checkoutSessions, id),
  ),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', {}, (act, _input, { id }) =>
    expireSession(act, demand(act.tables.checkoutSessions, id)),
  ),
  endpoint('POST', '/v1/checkout/sessions/:id', { metadata }, (act, input, { id }) => {
    const { checkoutSessions } = act.tables;
    const session = demand(checkoutSessions, id);
    const changed = { ...session, metadata: patchMetadata(session.metadata ?? {}, input.metadata) };
    return checkoutSessions.save(changed, checkoutSessions.hidden(id));
  }),
  endpoint(
    'GET',
    '/v1/checkout/sessions/:id/line_items',
    listParams,
    ({ tables: { checkoutSessions } }, _input, { id }) => {
      demand(checkoutSessions, id);
      const url = `/v1/checkout/sessions/${id}/line_items`;
      return wholeList(url, checkoutSessions.hidden(id).line_items);
    },
  ),
  endpoint('GET', '/v1/checkout/sessions', filterParams, ({ tables }, input) => {
    const { checkoutSessions } = tables;
    const ids = input.subscription
      ? checkoutSessions.idsBy('subscription', input.subscription)
      : input.customer
        ? checkoutSessions.idsBy('customer', input.customer)
        : checkoutSessions.ids();
    return page(
      checkoutSessions,
      ids,
      input,
      '/v1/checkout/sessions',
      (session) =>
        (input.status === undefined || session.status === input.status) &&
        (input.payment_intent === undefined || session.payment_intent === input.payment_intent) &&
        (input.customer_details === undefined ||
          session.customer_details?.email === input.customer_details.email),
    );
  }),
];

import { endpoint, reads } from '../api/endpoint.ts';
import { wholeList } from '../api/list.ts';
import {
  email,
  hash,
  type Input,
  integer,
  integerBetween,
  list,
  listParams,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
  url,
} from '../api/params.ts';
import { invalidRequest, missingReference, refused } from '../api/stripe-error.ts';
import { referPrice } from '../catalogue/prices.ts';
import { productName } from '../invoices/invoice-lines.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type CheckoutLineItem, type CheckoutSession, nulls } from '../state/objects.ts';
import type { SessionHidden } from '../state/tables.ts';
import { trialSettings, wholeTrialSettings } from '../subscriptions/params.ts';
import { commonInterval } from '../subscriptions/subscriptions.ts';

const HOUR = 3600;

const line = hash({ price: text, quantity: integerBetween(1, 1000) });
const createParams = {
  allowed_payment_method_types: optional(list(oneOf('card', 'link'))),
  cancel_url: optional(url),
  client_reference_id: optional(text),
  customer: optional(text),
  customer_email: optional(email),
  expires_at: optional(integer),
  line_items: list(line),
  metadata: optional(metadata),
  mode: oneOf('subscription', 'payment', 'setup'),
  payment_method_collection: optional(oneOf('always', 'if_required')),
  subscription_data: optional(
    hash({
      metadata: optional(metadata),
      trial_end: optional(integer),
      trial_period_days: optional(integerBetween(1, 730)),
      trial_settings: optional(trialSettings),
    }),
  ),
  success_url: url,
  ui_mode: optional(oneOf('hosted_page', 'embedded_page', 'elements', 'form')),
};
type SessionInput = Input<typeof createParams>;

/** Opens a session. Its completion creates the subscription and the invoice. */
function createSession(act: Act, input: SessionInput): CheckoutSession {
  const { tables } = act;
  checkCombination(act, input);
  const line_items = input.line_items.map((each, index) => lineItem(act, each, index));
  commonInterval(line_items.map((item) => item.price!));
  const data = input.subscription_data ?? {};
  const total = data.trial_period_days || data.trial_end ? 0 : sumOf(line_items);
  const known = input.customer === undefined ? undefined : tables.customers.find(input.customer);
  const address = input.customer_email ?? known?.email ?? null;
  const id = newId('cs_test', 58);
  const session: CheckoutSession = {
    ...constantFields(),
    id,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created: act.at,
    currency: line_items[0]!.currency,
    customer: input.customer ?? null,
    customer_details: address === null ? null : customerDetails(address, known?.name ?? null),
    customer_email: input.customer_email ?? null,
    expires_at: input.expires_at ?? act.at + 24 * HOUR,
    metadata: patchMetadata({}, input.metadata),
    payment_method_collection: input.payment_method_collection ?? 'always',
    success_url: input.success_url,
    url: `${act.settings.origin()}/c/pay/${id}`,
  };
  return tables.checkoutSessions.save(session, {
    line_items,
    trial_period_days: data.trial_period_days ?? null,
    trial_end: data.trial_end ?? null,
    subscription_metadata: patchMetadata({}, data.metadata),
    trial_settings: wholeTrialSettings(data.trial_settings),
    pending_payment_method: null,
  });
}

function checkCombination({ at, tables }: Act, input: SessionInput): void {
  const { customer, expires_at, line_items, subscription_data: data = {} } = input;
  const refuse = (isWrong: boolean, param: string, message: string, code?: string) => {
    if (isWrong) throw invalidRequest(message, { ...(code && { code }), param });
  };
  const isHosted = (input.ui_mode ?? 'hosted_page') === 'hosted_page';
  refuse(
    input.mode !== 'subscription' || !isHosted,
    'mode',
    'This sandbox has hosted Checkout for subscriptions only.',
  );
  refuse(line_items.length > 20, 'line_items', 'At most 20 recurring line items can be given.');
  refuse(
    customer !== undefined && input.customer_email !== undefined,
    'customer',
    'You may only specify one of these parameters: customer, customer_email.',
    'parameters_exclusive',
  );
  refuse(
    (input.client_reference_id ?? '').length > 200,
    'client_reference_id',
    'client_reference_id can be up to 200 characters.',
  );
  const lifetime = (expires_at ?? at + HOUR) - at;
  refuse(
    lifetime < HOUR / 2 - 60 || lifetime > 24 * HOUR + 60,
    'expires_at',
    'The `expires_at` timestamp must be between 30 minutes and 24 hours after Checkout Session creation.',
  );
  refuse(
    data.trial_end !== undefined && data.trial_period_days !== undefined,
    'subscription_data[trial_end]',
    'You may only specify one of trial_end and trial_period_days.',
    'parameters_exclusive',
  );
  refuse(
    data.trial_end !== undefined && data.trial_end < at + 48 * HOUR,
    'subscription_data[trial_end]',
    'The `trial_end` date has to be at least 2 days in the future.',
  );
  if (customer === undefined) return;
  tables.customers.refer(customer, 'customer');
  if (tables.customers.hidden(customer).deleted) {
    throw missingReference('customer', customer, 'customer');
  }
}

function constantFields() {
  return {
    ...nulls('after_expiration allow_promotion_codes billing_address_collection client_secret'),
    ...nulls('collected_information consent consent_collection currency_conversion'),
    ...nulls('customer_account customer_creation discounts integration_identifier invoice'),
    ...nulls('invoice_creation locale managed_payments origin_context payment_intent payment_link'),
    ...nulls('payment_method_configuration_details payment_method_options permissions'),
    ...nulls(
      'recovered_from saved_payment_method_options setup_intent shipping_address_collection',
    ),
    ...nulls('shipping_cost submit_type subscription wallet_options'),
    object: 'checkout.session' as const,
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false, ...nulls('liability provider status') },
    custom_fields: [],
    custom_text: nulls('after_submit shipping_address submit terms_of_service_acceptance'),
    livemode: false,
    mode: 'subscription' as const,
    payment_method_types: ['card'],
    payment_status: 'unpaid' as const,
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: 'open' as const,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page' as const,
  };
}

export function customerDetails(email: string | null, name: string | null) {
  return {
    ...nulls('address business_name individual_name phone'),
    email,
    name,
    tax_exempt: 'none' as const,
    tax_ids: [],
  };
}

function lineItem(
  act: Act,
  { price: id, quantity }: { price: string; quantity: number },
  index: number,
): CheckoutLineItem {
  const price = referPrice(act, id, `line_items[${index}][price]`);
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: productName(act.tables, price),
    metadata: {},
    price,
    quantity,
  };
}

/** Returns what the lines cost together for one period. */
export function sumOf(items: readonly CheckoutLineItem[]): number {
  return items.reduce((sum, item) => sum + item.amount_total, 0);
}

/** Returns the end of the trial if the session is completed at that instant, or null without a trial. */
export function trialEndOf(hidden: SessionHidden, at: number): number | null {
  if (hidden.trial_period_days !== null) return at + hidden.trial_period_days * 86_400;
  return hidden.trial_end;
}

/** Ends an open session without a purchase. */
export function expireSession(act: Act, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open') {
    throw refused(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      { param: 'id' },
    );
  }
  const change = { status: 'expired', url: null } as const;
  const expired = amend(act, act.tables.checkoutSessions, session, change);
  act.emit('checkout.session.expired', expired);
  return expired;
}

const filterParams = {
  customer: optional(text),
  customer_details: optional(hash({ email })),
  payment_intent: optional(text),
  status: optional(oneOf('complete', 'expired', 'open')),
  subscription: optional(text),
};

export const checkoutEndpoints = [
  endpoint('POST', '/v1/checkout/sessions', createParams, createSession),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', {}, (act, _input, id) =>
    expireSession(act, act.tables.checkoutSessions.get(id)),
  ),
  endpoint(
    'GET',
    '/v1/checkout/sessions/:id/line_items',
    listParams,
    ({ tables: { checkoutSessions } }, _input, id) => {
      const url = `/v1/checkout/sessions/${checkoutSessions.get(id).id}/line_items`;
      return wholeList(url, checkoutSessions.hidden(id).line_items);
    },
  ),
  ...reads(
    '/v1/checkout/sessions',
    (tables) => tables.checkoutSessions,
    filterParams,
    () => ({
      filters: {
        customer_details: (session, wanted: { email: string }) =>
          session.customer_details?.email === wanted.email,
      },
    }),
  ),
];

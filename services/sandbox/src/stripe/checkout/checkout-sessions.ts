import { endpoint, listed, read } from '../api/endpoint.ts';
import {
  boolean,
  email,
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
  url,
} from '../api/params.ts';
import { invalidRequest, refused } from '../api/stripe-error.ts';
import { createInlinePrice, inlinePrice } from '../catalogue/catalogue.ts';
import { redeemableCode } from '../catalogue/coupons.ts';
import { rejectOtherCurrency } from '../customers/balance.ts';
import { referCustomer } from '../customers/customers.ts';
import { reduction } from '../invoices/discounts.ts';
import { productName } from '../invoices/invoice-lines.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import {
  type CheckoutLineItem,
  type CheckoutSession,
  type Customer,
  nulls,
  type Price,
} from '../state/objects.ts';
import type { SessionHidden } from '../state/tables.ts';

const HOUR = 3600;

const missingMethod = { missing_payment_method: oneOf('cancel', 'create_invoice', 'pause') };
const createParams = {
  allowed_payment_method_types: optional(list(oneOf('card'))),
  automatic_tax: optional(hash({ enabled: boolean })),
  cancel_url: optional(url),
  client_reference_id: optional(text),
  customer: optional(text),
  customer_creation: optional(oneOf('always')),
  customer_email: optional(email),
  customer_update: optional(hash({ address: oneOf('auto') })),
  discounts: optional(list(hash({ promotion_code: text }), { minItems: 1, maxItems: 1 })),
  expires_at: optional(integer),
  invoice_creation: optional(hash({ enabled: boolean })),
  line_items: list(
    hash({
      price: optional(text),
      price_data: optional(hash(inlinePrice)),
      quantity: integerBetween(1, 1),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  metadata: optional(metadata),
  mode: oneOf('payment', 'subscription'),
  payment_method_collection: optional(oneOf('always')),
  subscription_data: optional(
    hash({
      metadata: optional(metadata),
      trial_end: optional(integer),
      trial_period_days: optional(integerBetween(1, 730)),
      trial_settings: optional(hash({ end_behavior: hash(missingMethod) })),
    }),
  ),
  success_url: url,
};

/** Opens a session. Its completion creates the subscription, or the payment, and the invoice. */
function createSession(act: Act, input: Input<typeof createParams>): CheckoutSession {
  const { tables } = act;
  const customer = input.customer === undefined ? null : referCustomer(tables, input.customer);
  rejectOtherMode(input);
  const price = priceOf(act, input);
  rejectOtherCurrency(customer, price.currency);
  const isTaxed = input.automatic_tax?.enabled === true;
  if (isTaxed) rejectUntaxable(customer, price, input.customer_update !== undefined);
  const data = input.subscription_data ?? {};
  const [wanted] = input.discounts ?? [];
  const promotion =
    wanted && redeemableCode(act, wanted.promotion_code, { customer, currency: price.currency });
  if (data.trial_end !== undefined) rejectTrialEnd(act, data.trial_end, data.trial_period_days);
  const subtotal = (data.trial_end ?? data.trial_period_days) ? 0 : (price.unit_amount ?? 0);
  const off = promotion ? reduction(tables.coupons.get(promotion.coupon), subtotal) : 0;
  const total = subtotal - off;
  const expires_at = input.expires_at ?? act.at + 24 * HOUR;
  if (expires_at < act.at + HOUR / 2 - 60 || expires_at > act.at + 24 * HOUR + 60) {
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours after Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  const id = newId('cs_test', 58);
  const session: CheckoutSession = {
    ...nulls('after_expiration allow_promotion_codes billing_address_collection client_secret'),
    ...nulls('collected_information consent consent_collection currency_conversion'),
    ...nulls('customer_account integration_identifier'),
    ...nulls('invoice locale managed_payments origin_context payment_intent'),
    ...nulls('payment_link payment_method_configuration_details payment_method_options'),
    ...nulls('permissions recovered_from saved_payment_method_options setup_intent'),
    ...nulls('shipping_address_collection shipping_cost submit_type subscription wallet_options'),
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: subtotal,
    amount_total: total,
    automatic_tax: {
      ...nulls('liability provider'),
      enabled: isTaxed,
      status: isTaxed ? 'requires_location_inputs' : null,
    },
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created: act.at,
    currency: price.currency,
    custom_fields: [],
    custom_text: nulls('after_submit shipping_address submit terms_of_service_acceptance'),
    customer: customer?.id ?? null,
    customer_creation: input.customer_creation ?? null,
    customer_details: knownDetails(customer, input.customer_email),
    customer_email: input.customer_email ?? null,
    discounts: promotion ? [{ coupon: promotion.coupon, promotion_code: promotion.code }] : null,
    expires_at,
    invoice_creation: input.invoice_creation
      ? {
          enabled: input.invoice_creation.enabled,
          invoice_data: {
            ...nulls('account_tax_ids custom_fields description footer issuer rendering_options'),
            metadata: {},
          },
        }
      : null,
    livemode: false,
    metadata: patchMetadata({}, input.metadata),
    mode: input.mode,
    payment_method_collection: input.mode === 'payment' ? 'if_required' : 'always',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: 'open',
    success_url: input.success_url,
    total_details: { amount_discount: off, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${act.settings.origin()}/c/pay/${id}`,
  };
  const end_behavior = data.trial_settings?.end_behavior ?? {
    missing_payment_method: 'create_invoice',
  };
  return tables.checkoutSessions.save(session, {
    line_item: lineItem(act, price, off),
    ...(promotion && { promotion }),
    trial_period_days: data.trial_period_days ?? null,
    ...(data.trial_end !== undefined && { trial_end: data.trial_end }),
    subscription_metadata: patchMetadata({}, data.metadata),
    trial_settings: { end_behavior: { billing_cycle_anchor: null, ...end_behavior } },
  });
}

type CreateInput = Input<typeof createParams>;

/** As at Stripe, some parameters and prices belong to one mode. Of one-time payments, only those with a new customer and an invoice are emulated. */
function rejectOtherMode(input: CreateInput): void {
  const names = ['customer_creation', 'invoice_creation'] as const;
  const isPayment = input.mode === 'payment';
  const wrong = isPayment
    ? (['subscription_data', 'payment_method_collection', 'customer', 'discounts'] as const).find(
        (name) => input[name] !== undefined,
      )
    : names.find((name) => input[name] !== undefined);
  if (wrong !== undefined)
    throw invalidRequest(`You can't use \`${wrong}\` in \`${input.mode}\` mode.`, { param: wrong });
  if (isPayment && !(input.customer_creation && input.invoice_creation?.enabled))
    throw invalidRequest('The sandbox needs customer_creation and invoice_creation here.', {
      param: 'invoice_creation',
    });
}

function rejectTrialEnd(act: Act, end: number, days: number | undefined): void {
  if (days !== undefined)
    throw invalidRequest(
      'You may only specify one of these parameters: `trial_end`, `trial_period_days`.',
      { param: 'subscription_data[trial_end]' },
    );
  if (end < act.at + 48 * HOUR)
    throw invalidRequest('The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    });
}

function priceOf(act: Act, { mode, line_items: [line] }: CreateInput): Price {
  const { price, price_data } = line!;
  if (mode === 'payment' && price_data !== undefined) return createInlinePrice(act, price_data);
  if (mode === 'payment' || price === undefined)
    throw invalidRequest(
      'The sandbox takes price_data for a payment, and price for a subscription.',
      {
        param: 'line_items[0][price]',
      },
    );
  return act.tables.prices.refer(price, 'line_items[0][price]');
}

function knownDetails(customer: Customer | null, address: string | undefined) {
  if (customer?.email) return customerDetails(customer.email, customer.name ?? null);
  return address === undefined ? null : customerDetails(address, null);
}

/** As at Stripe, tax needs an address, or the permission to save the one entered, and a price that says how it's added. */
function rejectUntaxable(customer: Customer | null, price: Price, savesAddress: boolean): void {
  if (customer !== null && !customer.address && !savesAddress)
    throw refused(
      'Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to "auto" or `customer_update[shipping]` to "auto" to save the address entered in Checkout to the Customer.',
      { code: 'customer_tax_location_invalid' },
    );
  if (price.tax_behavior === 'unspecified')
    throw refused(
      `You must specify the tax_behavior of price ${price.id} to use automatic tax calculation.`,
      { param: 'line_items[0][price]' },
    );
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

function lineItem(act: Act, price: Price, off: number): CheckoutLineItem {
  const amount = price.unit_amount ?? 0;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: off,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount - off,
    currency: price.currency,
    description: productName(act.tables, price),
    metadata: {},
    price,
    quantity: 1,
  };
}

/** Returns the end of the trial if the session is completed at that instant, or null without a trial. */
export function trialEndOf(
  { trial_period_days: days, trial_end }: SessionHidden,
  at: number,
): number | null {
  return trial_end ?? (days === null ? null : at + days * 86_400);
}

/** Ends an open session without a purchase. */
export function expireSession(act: Act, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open') {
    throw refused(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  }
  const change = { status: 'expired', url: null } as const;
  const expired = amend(act, act.tables.checkoutSessions, session, change);
  act.emit('checkout.session.expired', expired);
  return expired;
}

export const checkoutEndpoints = [
  endpoint('POST', '/v1/checkout/sessions', createParams, createSession),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', {}, (act, _input, id) =>
    expireSession(act, act.tables.checkoutSessions.get(id)),
  ),
  read('/v1/checkout/sessions', (tables) => tables.checkoutSessions),
  listed('/v1/checkout/sessions', (tables) => tables.checkoutSessions, {
    customer: optional(text),
    status: optional(oneOf('complete', 'expired', 'open')),
  }),
];

import { newId } from '../api/ids.ts';
import { refused } from '../api/stripe-error.ts';
import { productName } from '../invoices/invoice-lines.ts';
import { type Act, amend } from '../state/act.ts';
import type { CheckoutLineItem, CheckoutSession, Price } from '../state/objects.ts';
import type { SessionHidden, Tables } from '../state/tables.ts';

export interface SessionSpec {
  customer: string | null;
  customer_email: string | null;
  client_reference_id: string | null;
  success_url: string;
  cancel_url: string | null;
  expires_at: number;
  metadata: Record<string, string>;
  allowed_payment_method_types: string[] | null;
  payment_method_collection: 'always' | 'if_required';
  locale: string | null;
  hidden: Omit<SessionHidden, 'pending_payment_method'>;
}

/** Opens a session. Subscription and invoice come only with its completion. */
export function openSession(act: Act, spec: SessionSpec): CheckoutSession {
  const id = newId('cs_test', 58);
  const { hidden } = spec;
  const trialing = hidden.trial_period_days !== null || hidden.trial_end !== null;
  const total = trialing ? 0 : sumOf(hidden.line_items);
  const session: CheckoutSession = {
    ...constantFields(),
    id,
    allowed_payment_method_types: spec.allowed_payment_method_types,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: spec.cancel_url,
    client_reference_id: spec.client_reference_id,
    created: act.at,
    currency: hidden.line_items[0]!.currency,
    customer: spec.customer,
    customer_details: detailsOf(act.tables, spec),
    customer_email: spec.customer_email,
    expires_at: spec.expires_at,
    locale: spec.locale as CheckoutSession['locale'],
    metadata: spec.metadata,
    payment_method_collection: spec.payment_method_collection,
    success_url: spec.success_url,
    url: `${act.settings.origin()}/c/pay/${id}`,
  };
  return act.tables.checkoutSessions.save(session, { ...hidden, pending_payment_method: null });
}

function constantFields() {
  return {
    object: 'checkout.session' as const,
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: null,
    discounts: null,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    managed_payments: null,
    mode: 'subscription' as const,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid' as const,
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open' as const,
    submit_type: null,
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page' as const,
    wallet_options: null,
  };
}

function detailsOf(tables: Tables, spec: SessionSpec): CheckoutSession['customer_details'] {
  const known = spec.customer ? tables.customers.find(spec.customer) : undefined;
  const email = spec.customer_email ?? known?.email ?? null;
  return email === null ? null : customerDetails(email, known?.name ?? null);
}

/** What is known of the buyer. */
export function customerDetails(email: string | null, name: string | null) {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none' as const,
    tax_ids: [],
  };
}

/** A line as the session lists it. */
export function lineItem(tables: Tables, price: Price, quantity: number): CheckoutLineItem {
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
    description: productName(tables, price),
    metadata: {},
    price,
    quantity,
  };
}

/** What the lines cost together for one period. */
export function sumOf(items: readonly CheckoutLineItem[]): number {
  return items.reduce((sum, item) => sum + item.amount_total, 0);
}

/** The end of the trial if the session were completed at that instant; null without a trial. */
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
  const expired = amend(
    act,
    act.tables.checkoutSessions,
    session,
    { status: 'expired', url: null },
    null,
  );
  act.emit('checkout.session.expired', expired);
  return expired;
}

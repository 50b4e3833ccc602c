import { newId } from '../api/ids.ts';
import { cardError } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Customer, PaymentMethod } from '../state/objects.ts';
import {
  behaviourKey,
  behaviourOf,
  type CardBehaviour,
  cardFingerprint,
  DECLINES,
  declineFields,
  normalizeCardNumber,
} from './cards.ts';

/** A card as somebody typed it. */
export interface CardEntry {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string | null;
}

export interface BillingDetails {
  email: string | null;
  name: string | null;
}

/** Puts a typed card on record, not yet on any customer. A number that fails its check digit is refused. */
export function createCardMethod(
  act: Act,
  entry: CardEntry,
  billing: BillingDetails,
): PaymentMethod {
  const number = normalizeCardNumber(entry.number);
  const key = behaviourKey(number);
  if (key === null) {
    throw cardError(DECLINES.incorrect_number.message, {
      code: 'incorrect_number',
      param: 'number',
    });
  }
  const expiry = new Date(act.at * 1000);
  const months = entry.exp_year * 12 + entry.exp_month;
  if (months < expiry.getUTCFullYear() * 12 + expiry.getUTCMonth() + 1) {
    throw cardError("Your card's expiration date is in the past.", {
      code: 'invalid_expiry_year',
      param: 'exp_year',
    });
  }
  const method = buildMethod(act, { ...entry, number }, behaviourOf(key), billing);
  return act.tables.paymentMethods.save(method, { behaviour: key });
}

function buildMethod(
  act: Act,
  entry: CardEntry,
  behaviour: CardBehaviour,
  billing: BillingDetails,
): PaymentMethod {
  const { brand, funding } = behaviour;
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, phone: null, tax_id: null, ...billing },
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: entry.cvc ? 'pass' : null,
      },
      country: 'US',
      display_brand: brand,
      exp_month: entry.exp_month,
      exp_year: entry.exp_year,
      fingerprint: cardFingerprint(entry.number, billing.email ?? null),
      funding,
      generated_from: null,
      last4: entry.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: act.at,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}

/** How the card behind a payment method behaves. */
export function methodBehaviour(act: Act, methodId: string): CardBehaviour {
  return behaviourOf(act.tables.paymentMethods.hidden(methodId).behaviour);
}

/** Puts a card on a customer's file; some cards refuse that. */
export function attachMethod(act: Act, method: PaymentMethod, customerId: string): PaymentMethod {
  const { attach } = methodBehaviour(act, method.id);
  if (attach) throw cardError(attach.message, declineFields(attach));
  const attached = { ...method, customer: customerId };
  act.tables.paymentMethods.save(attached, act.tables.paymentMethods.hidden(method.id));
  act.emit('payment_method.attached', attached);
  return attached;
}

/** Takes a card off its customer, wherever it was the default. */
export function detachMethod(act: Act, method: PaymentMethod): PaymentMethod {
  const { tables } = act;
  const customer = method.customer === null ? undefined : tables.customers.find(method.customer);
  if (customer?.invoice_settings.default_payment_method === method.id) {
    setCustomerDefault(act, customer, null);
  }
  for (const subscription of tables.subscriptions.by('customer', method.customer ?? '')) {
    if (subscription.default_payment_method !== method.id) continue;
    amend(
      act,
      tables.subscriptions,
      subscription,
      { default_payment_method: null },
      'customer.subscription.updated',
    );
  }
  const detached = { ...method, customer: null };
  tables.paymentMethods.save(detached, tables.paymentMethods.hidden(method.id));
  act.emit('payment_method.detached', detached, { customer: method.customer });
  return detached;
}

/** Makes a card the one that the customer's invoices are charged to, or none. */
export function setCustomerDefault(
  act: Act,
  customer: Customer,
  methodId: string | null,
): Customer {
  const invoice_settings = { ...customer.invoice_settings, default_payment_method: methodId };
  return amend(act, act.tables.customers, customer, { invoice_settings }, 'customer.updated');
}

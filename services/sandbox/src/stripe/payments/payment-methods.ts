import { cardError } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Customer, nulls, type PaymentMethod } from '../state/objects.ts';
import {
  cardFingerprint,
  declineFields,
  normalizeCardNumber,
  type TestCard,
  testCardKey,
  testCardOf,
} from './cards.ts';

export interface CardEntry {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
}

interface BillingDetails {
  email: string | null;
  name: string | null;
}

/** Stores a typed card without attaching it. A number with a wrong check digit is rejected. */
export function createCardMethod(
  act: Act,
  entry: CardEntry,
  billing: BillingDetails,
): PaymentMethod {
  const number = normalizeCardNumber(entry.number);
  const key = testCardKey(number);
  if (key === null) {
    throw cardError('Your card number is incorrect.', {
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
  const { brand, funding } = testCardOf(key);
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { ...nulls('address phone tax_id'), ...billing },
    card: {
      brand,
      checks: {
        ...nulls('address_line1_check address_postal_code_check'),
        cvc_check: 'pass',
      },
      country: 'US',
      display_brand: brand,
      exp_month: entry.exp_month,
      exp_year: entry.exp_year,
      fingerprint: cardFingerprint(number, billing.email),
      funding,
      generated_from: null,
      last4: number.slice(-4),
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
  return act.tables.paymentMethods.save(method, { behaviour: key });
}

/** Returns the test card behind a payment method. */
export function testCardBehind(act: Act, methodId: string): TestCard {
  return testCardOf(act.tables.paymentMethods.hidden(methodId).behaviour);
}

/** Attaches a card to a customer; some cards decline that. */
export function attachMethod(act: Act, method: PaymentMethod, customerId: string): PaymentMethod {
  const { attach } = testCardBehind(act, method.id);
  if (attach) throw cardError(attach.message, declineFields(attach));
  const attached = { ...method, customer: customerId };
  act.tables.paymentMethods.save(attached);
  act.emit('payment_method.attached', attached);
  return attached;
}

/** Sets the card that the customer's invoices are charged to. */
export function setCustomerDefault(act: Act, customer: Customer, methodId: string): Customer {
  const invoice_settings = { ...customer.invoice_settings, default_payment_method: methodId };
  return amend(act, act.tables.customers, customer, { invoice_settings }, 'customer.updated');
}

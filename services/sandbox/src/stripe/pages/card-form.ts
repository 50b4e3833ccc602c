import type { StripeApiError } from '../api/stripe-error.ts';
import { normalizeCardNumber } from '../payments/cards.ts';
import type { CardEntry } from '../payments/payment-methods.ts';
import { type Html, html } from './html.ts';
import type { PageForm } from './page.ts';

/** The values of the fields and their errors, by field name. */
export interface CardForm {
  values: Record<string, string>;
  errors: Record<string, string>;
}

export const emptyForm: CardForm = { values: {}, errors: {} };

const FIELD_OF_CODE: Record<string, string> = {
  incorrect_number: 'card_number',
  invalid_expiry_year: 'expiry',
  expired_card: 'expiry',
  tax_id_invalid: 'tax_id',
  country_invalid: 'country',
  incorrect_cvc: 'cvc',
};

/** Returns the form with an error of the provider at the field it belongs to. */
export function withError(form: CardForm, { fields, message }: StripeApiError): CardForm {
  const field = FIELD_OF_CODE[fields.code ?? ''];
  return field ? { ...form, errors: { ...form.errors, [field]: message } } : form;
}

/** Reads the card fields. The card is null if one of them is not valid. */
export function readCard(form: PageForm): { card: CardEntry | null; name: string; seen: CardForm } {
  const values: Record<string, string> = {};
  for (const field of ['card_number', 'expiry', 'name', 'email']) {
    values[field] = form[field]?.trim() ?? '';
  }
  const { name = '' } = values;
  const number = normalizeCardNumber(values.card_number ?? '');
  const expiry = readExpiry(values.expiry ?? '');
  const cvc = form.cvc?.trim() ?? '';
  const errors: Record<string, string> = {};
  if (!/^\d{12,19}$/.test(number)) errors.card_number = 'Your card number is incomplete.';
  if (!expiry) errors.expiry = "Your card's expiration date is incomplete.";
  if (!/^\d{3,4}$/.test(cvc)) errors.cvc = "Your card's security code is incomplete.";
  if (name === '') errors.name = 'Please enter the name on the card.';
  const card = expiry && Object.keys(errors).length === 0 ? { number, ...expiry, cvc } : null;
  return { card, name, seen: { values, errors } };
}

/** Reads `MM/YY` or `MM/YYYY`, with or without the slash. */
export function readExpiry(typed: string): { exp_month: number; exp_year: number } | null {
  const match = /^(\d{1,2})\s*[/\s-]?\s*(\d{2}|\d{4})$/.exec(typed);
  if (!match) return null;
  const exp_month = Number(match[1]);
  const year = Number(match[2]);
  if (exp_month < 1 || exp_month > 12) return null;
  return { exp_month, exp_year: year < 100 ? 2000 + year : year };
}

interface Field {
  name: string;
  label: string;
  autocomplete: string;
  placeholder?: string;
  numeric?: boolean;
  type?: string;
  isOptional?: boolean;
}

/** Renders one labelled field with its error, if any. */
export function field(form: CardForm, spec: Field): Html {
  const error = form.errors[spec.name];
  return html`<div class="field">
<label for="${spec.name}">${spec.label}</label>
<input id="${spec.name}" name="${spec.name}" type="${spec.type ?? 'text'}"${!spec.isOptional && html` required`} autocomplete="${spec.autocomplete}" placeholder="${spec.placeholder ?? ''}" value="${form.values[spec.name] ?? ''}"${spec.numeric && html` inputmode="numeric"`}${error !== undefined && html` aria-invalid="true" aria-describedby="${spec.name}-wrong"`}>
${error !== undefined && html`<p class="wrong" id="${spec.name}-wrong">${error}</p>`}
</div>`;
}

export function cardFields(form: CardForm): Html {
  return html`${field(form, {
    name: 'card_number',
    label: 'Card number',
    autocomplete: 'cc-number',
    placeholder: '4242 4242 4242 4242',
    numeric: true,
  })}
<div class="pair">
${field(form, { name: 'expiry', label: 'Expiry (MM/YY)', autocomplete: 'cc-exp', placeholder: '12/34', numeric: true })}
${field(form, { name: 'cvc', label: 'CVC', autocomplete: 'cc-csc', placeholder: '123', numeric: true })}
</div>
${field(form, { name: 'name', label: 'Name on card', autocomplete: 'cc-name' })}`;
}

export function refusalNotice(message: string | null): Html | null {
  return message === null ? null : html`<p class="notice bad" role="alert">${message}</p>`;
}

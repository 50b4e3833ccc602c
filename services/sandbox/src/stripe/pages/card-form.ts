import type { FormBranch } from '../api/form.ts';
import { normalizeCardNumber } from '../payments/cards.ts';
import type { CardEntry } from '../payments/payment-methods.ts';
import { type Html, html } from './html.ts';

/** What stood in the fields, and what was wrong with it, by field name. */
export interface CardForm {
  values: Record<string, string>;
  errors: Record<string, string>;
}

export const emptyForm: CardForm = { values: {}, errors: {} };

/** The field that an error of the provider belongs to. */
export const FIELD_OF_CODE: Record<string, string> = {
  incorrect_number: 'card_number',
  invalid_expiry_year: 'expiry',
  expired_card: 'expiry',
  incorrect_cvc: 'cvc',
};

/** Reads the card fields; null where one of them cannot be a card's. */
export function readCard(form: FormBranch): {
  card: CardEntry | null;
  name: string;
  seen: CardForm;
} {
  const value = (name: string) => {
    const raw = form[name];
    return typeof raw === 'string' ? raw.trim() : '';
  };
  const number = normalizeCardNumber(value('card_number'));
  const expiry = readExpiry(value('expiry'));
  const cvc = value('cvc');
  const name = value('name');
  const errors: Record<string, string> = {};
  if (!/^\d{12,19}$/.test(number)) errors.card_number = 'Your card number is incomplete.';
  if (!expiry) errors.expiry = "Your card's expiration date is incomplete.";
  if (!/^\d{3,4}$/.test(cvc)) errors.cvc = "Your card's security code is incomplete.";
  if (name === '') errors.name = 'Please enter the name on the card.';
  const values = {
    card_number: value('card_number'),
    expiry: value('expiry'),
    name,
    email: value('email'),
  };
  const whole = expiry && Object.keys(errors).length === 0;
  return {
    card: whole ? { number, ...expiry, cvc } : null,
    name,
    seen: { values, errors },
  };
}

/** `MM/YY` or `MM/YYYY`, with or without the slash. */
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
}

/** One labelled field, with its error where there is one. */
export function field(form: CardForm, spec: Field): Html {
  const error = form.errors[spec.name];
  return html`<div class="field">
<label for="${spec.name}">${spec.label}</label>
<input id="${spec.name}" name="${spec.name}" type="${spec.type ?? 'text'}" required autocomplete="${spec.autocomplete}" placeholder="${spec.placeholder ?? ''}" value="${form.values[spec.name] ?? ''}"${spec.numeric && html` inputmode="numeric"`}${error !== undefined && html` aria-invalid="true" aria-describedby="${spec.name}-wrong"`}>
${error !== undefined && html`<p class="wrong" id="${spec.name}-wrong">${error}</p>`}
</div>`;
}

/** The fields of a card. */
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

/** The message over a form that was refused. */
export function refusalNotice(message: string | null): Html | null {
  return message === null ? null : html`<p class="notice bad" role="alert">${message}</p>`;
}

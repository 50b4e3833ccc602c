import { looksLikeEmail } from '../../components/email-address.ts';
import { passwordTooShort } from '../../components/password-rules.ts';

export interface SignupForm {
  name: string;
  email: string;
  phone: string;
  password: string;
  confirmPassword: string;
  timezone: string;
  delivery_time: string;
  delivery_frequency: 'daily' | 'weekly';
  sms_consent: boolean;
  /** A code, or a link that contains one. */
  ref: string;
}

export interface Problem {
  message: string;
  /** Messages of the invalid fields, in form order. */
  errors: Partial<Record<keyof SignupForm, string>>;
}

const missing = {
  name: 'Enter your full name',
  email: 'Enter your email',
  phone: 'Enter your phone number',
  password: 'Choose a password',
  confirmPassword: 'Enter the password again',
  timezone: 'Select your timezone',
  delivery_time: 'Select a delivery time',
};

const findMissing = (
  form: SignupForm,
  fields: readonly (keyof typeof missing)[],
  message: string,
): Problem | null => {
  const empty = fields.filter((field) => form[field].trim() === '');
  if (empty.length === 0) return null;
  return { message, errors: Object.fromEntries(empty.map((field) => [field, missing[field]])) };
};

const at = (field: keyof SignupForm, message: string): Problem => ({
  message,
  errors: { [field]: message },
});

/** Validates step 1. Email and phone get a rough check; the server validates them fully. */
export const checkPersonalInfo = (form: SignupForm): Problem | null => {
  const incomplete = findMissing(
    form,
    ['name', 'email', 'phone', 'password', 'confirmPassword'],
    'Please fill in all required fields',
  );
  if (incomplete) return incomplete;
  if (form.password !== form.confirmPassword)
    return at('confirmPassword', 'Passwords do not match');
  const tooShort = passwordTooShort(form.password);
  if (tooShort) return at('password', tooShort);
  if (!looksLikeEmail(form.email)) return at('email', 'Please enter a valid email address');
  if (form.phone.replace(/\D/g, '').length < 7)
    return at('phone', 'Please enter a valid phone number');
  return null;
};

export const checkPreferences = (form: SignupForm): Problem | null =>
  findMissing(form, ['timezone', 'delivery_time'], 'Please select your timezone and delivery time');

/** Returns a typed referral code, or the one in a pasted link. */
export const readReferral = (typed: string): string =>
  (/[?&]ref=([^&#\s]+)/.exec(typed)?.[1] ?? typed).trim().slice(0, 64);

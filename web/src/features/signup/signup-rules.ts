import { looksLikeEmail } from '../../components/email-address.ts';
import { passwordTooShort } from '../../components/password-rules.ts';
import { phoneTooShort } from '../../components/phone-numbers.ts';

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
  /** Shown above the button, or null if the fields' own messages suffice. */
  message: string | null;
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

type RequiredField = keyof typeof missing;

/** Email and phone get a rough check; the server validates them fully. */
const rules: Partial<Record<RequiredField, (form: SignupForm) => string | null>> = {
  email: ({ email }) => (looksLikeEmail(email) ? null : 'Please enter a valid email address'),
  phone: ({ phone }) => phoneTooShort(phone),
  password: ({ password }) => passwordTooShort(password),
  confirmPassword: ({ password, confirmPassword }) =>
    password.trim() === '' || password === confirmPassword ? null : 'Passwords do not match',
};

/** Reports everything that is wrong at once, and `incomplete` if a field is empty. */
const check = (
  form: SignupForm,
  fields: readonly RequiredField[],
  incomplete: string,
): Problem | null => {
  const empty = fields.filter((field) => form[field].trim() === '');
  const found = fields.flatMap((field) => {
    const message = empty.includes(field) ? missing[field] : rules[field]?.(form);
    return message ? [[field, message]] : [];
  });
  if (found.length === 0) return null;
  return { message: empty.length > 0 ? incomplete : null, errors: Object.fromEntries(found) };
};

export const checkPersonalInfo = (form: SignupForm): Problem | null =>
  check(
    form,
    ['name', 'email', 'phone', 'password', 'confirmPassword'],
    'Please fill in all required fields',
  );

export const checkPreferences = (form: SignupForm): Problem | null =>
  check(form, ['timezone', 'delivery_time'], 'Please select your timezone and delivery time');

/** Returns a typed referral code, or the one in a pasted link. */
export const readReferral = (typed: string): string =>
  (/[?&]ref=([^&#\s]+)/.exec(typed)?.[1] ?? typed).trim().slice(0, 64);

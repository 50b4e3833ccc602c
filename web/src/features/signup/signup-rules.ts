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
}

export interface Problem {
  message: string;
  /** Invalid fields, in order. */
  fields: (keyof SignupForm)[];
}

const personalFields = ['name', 'email', 'phone', 'password', 'confirmPassword'] as const;

/** Validates step 1. Email and phone get a rough check; the server validates them fully. */
export const checkPersonalInfo = (form: SignupForm): Problem | null => {
  const empty = personalFields.filter((field) => form[field].trim() === '');
  if (empty.length > 0) return { message: 'Please fill in all required fields', fields: empty };
  if (form.password !== form.confirmPassword) {
    return { message: 'Passwords do not match', fields: ['confirmPassword'] };
  }
  const tooShort = passwordTooShort(form.password);
  if (tooShort) return { message: tooShort, fields: ['password'] };
  if (!looksLikeEmail(form.email)) {
    return { message: 'Please enter a valid email address', fields: ['email'] };
  }
  if (form.phone.replace(/\D/g, '').length < 7) {
    return { message: 'Please enter a valid phone number', fields: ['phone'] };
  }
  return null;
};

export const checkPreferences = (form: SignupForm): Problem | null => {
  const empty = (['timezone', 'delivery_time'] as const).filter((field) => form[field] === '');
  return empty.length > 0
    ? { message: 'Please select your timezone and delivery time', fields: empty }
    : null;
};

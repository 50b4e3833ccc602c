import { createBrowserStorage } from '../../components/browser-storage.ts';
import type { SignupForm } from './signup-rules.ts';

/** The form values, kept for this tab. Passwords and consent are never stored. */
const storage = createBrowserStorage('tab', 'signup_draft');

type Draft = Partial<Omit<SignupForm, 'password' | 'confirmPassword' | 'sms_consent'>>;

export const keepDraft = (form: SignupForm): void => {
  const { password: _, confirmPassword: __, sms_consent: ___, ...draft } = form;
  storage.write(draft);
};

export const readDraft = (): Draft | null => {
  const value = storage.read();
  return typeof value === 'object' ? value : null;
};

export const forgetDraft = storage.remove;

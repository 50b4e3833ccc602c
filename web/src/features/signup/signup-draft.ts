import { createBrowserStorage } from '../../components/browser-storage.ts';
import type { SignupForm } from './signup-rules.ts';

/** The form values, kept for this tab. Passwords and consent are never stored. */
const kept = createBrowserStorage('tab', 'signup_draft');

type Draft = Partial<Omit<SignupForm, 'password' | 'confirmPassword' | 'sms_consent'>>;

export const keepDraft = (form: SignupForm): void => {
  const { password: _, confirmPassword: __, sms_consent: ___, ...draft } = form;
  kept.write(draft);
};

export const readDraft = (): Draft | null => {
  const value = kept.read();
  return typeof value === 'object' ? value : null;
};

export const forgetDraft = kept.remove;

import type { SignupForm } from './signup-rules.ts';

/** What was typed, for this tab and a reload of it. Never the passwords; and consent is given anew. */
const key = 'signup_draft';

type Draft = Partial<Omit<SignupForm, 'password' | 'confirmPassword' | 'sms_consent'>>;

export const keepDraft = (form: SignupForm): void => {
  const { password: _, confirmPassword: __, sms_consent: ___, ...draft } = form;
  try {
    window.sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Then a reload begins anew.
  }
};

export const readDraft = (): Draft | null => {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(key) ?? 'null');
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
};

export const forgetDraft = (): void => {
  try {
    window.sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
};

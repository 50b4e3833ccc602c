/**
 * The referral code that a visitor came with. It is kept beyond the visit: most people look around, leave, and sign up
 * later by another link; the friend who sent them is still owed.
 */
const key = 'signup_ref';

export const rememberInvitation = (code: string): void => {
  try {
    window.localStorage.setItem(key, code);
  } catch {
    // Then it counts for this page only.
  }
};

export const readInvitation = (): string | null => {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** It counts for one signup. */
export const forgetInvitation = (): void => {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
};

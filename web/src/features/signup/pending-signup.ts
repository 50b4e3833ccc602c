import type { PlanChoice } from '../../paths.ts';

/**
 * A signup whose checkout is still open, for this tab only. Someone who comes back from the checkout
 * page goes on where they were, rather than being told that the account exists.
 */
export interface PendingSignup {
  id: string;
  name: string;
  plan: PlanChoice;
  /** False once it is known that the plan starts paid, and has been said. */
  trial: boolean;
}

const key = 'pending_signup';

export const rememberPendingSignup = (signup: PendingSignup): void => {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(signup));
  } catch {
    // Then the way back leads over signing in.
  }
};

export const forgetPendingSignup = (): void => {
  try {
    window.sessionStorage.removeItem(key);
  } catch {
    // Nothing was remembered.
  }
};

export const readPendingSignup = (): PendingSignup | null => {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(key) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { id, name, plan, trial } = value as Partial<Record<keyof PendingSignup, unknown>>;
    return typeof id === 'string' && typeof name === 'string'
      ? { id, name, plan: plan === 'yearly' ? 'yearly' : 'monthly', trial: trial !== false }
      : null;
  } catch {
    return null;
  }
};

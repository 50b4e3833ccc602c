import { createKeepsake } from '../components/keepsake.ts';
import type { PlanChoice } from '../paths.ts';

/**
 * A signup whose checkout is still open, for this tab only. Someone who comes back from the checkout page goes on where
 * they were, rather than being told that the account exists. Who signs in finds the checkout on the dashboard.
 */
export interface PendingSignup {
  id: string;
  name: string;
  plan: PlanChoice;
  /** False once it is known that the plan starts paid, and has been said. */
  trial: boolean;
  /** False where the box was left empty: then a text asks for a YES before any other comes. */
  consent: boolean;
}

const kept = createKeepsake('tab', 'pending_signup');

export const rememberPendingSignup = (signup: PendingSignup): void => kept.keep(signup);
export const forgetPendingSignup = kept.forget;

export const readPendingSignup = (): PendingSignup | null => {
  const value = kept.read();
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, plan, trial, consent } = value as Partial<Record<keyof PendingSignup, unknown>>;
  return typeof id === 'string' && typeof name === 'string'
    ? {
        id,
        name,
        plan: plan === 'yearly' ? 'yearly' : 'monthly',
        trial: trial !== false,
        consent: consent !== false,
      }
    : null;
};

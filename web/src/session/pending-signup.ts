import { type Currency, isCurrency, planNamed } from '@daylift/contracts/plans';
import { createBrowserStorage } from '../components/browser-storage.ts';
import type { PlanChoice } from '../paths.ts';

/** A signup with an unfinished checkout, stored for this tab, so returning from the checkout page continues it. */
export interface PendingSignup {
  id: string;
  name: string;
  plan: PlanChoice;
  /** The one that the prices were shown in; null for the default one. */
  currency: Currency | null;
  /** False once the user has been told that the plan starts paid. */
  trial: boolean;
  /** False if the box was left unchecked; then a text asks for a YES first. */
  consent: boolean;
  /** A session for the new account. It starts once the checkout is paid. */
  token: string | null;
}

const storage = createBrowserStorage('tab', 'pending_signup');

export const rememberPendingSignup = (signup: PendingSignup): void => storage.write(signup);
export const forgetPendingSignup = storage.remove;

export const readPendingSignup = (): PendingSignup | null => {
  const value = storage.read();
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, plan, currency, trial, consent, token } = value as Partial<
    Record<keyof PendingSignup, unknown>
  >;
  return typeof id === 'string' && typeof name === 'string'
    ? {
        id,
        name,
        plan: planNamed(plan),
        currency: isCurrency(currency) ? currency : null,
        trial: trial !== false,
        consent: consent !== false,
        token: typeof token === 'string' ? token : null,
      }
    : null;
};

import type { AccountsDeps } from '../deps.ts';
import { canonicalEmail } from '../users/email-address.ts';

export interface Login {
  kind: 'email' | 'phone';
  value: string;
}

/** Reads what was typed in the one spelling that is stored. What is neither email nor phone matches no account. */
export function readLogin(deps: Pick<AccountsDeps, 'readPhone'>, typed: string): Login {
  if (typed.includes('@')) return { kind: 'email', value: canonicalEmail(typed) };
  try {
    return { kind: 'phone', value: deps.readPhone(typed) };
  } catch {
    return { kind: 'phone', value: canonicalEmail(typed) };
  }
}

import type { AccountsDeps } from '../deps.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { findClaims } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { loginTriesOf } from './try-password.ts';

/**
 * Returns the accounts that claim an address or a number, the best claim first, and the key under which tries at it are
 * counted, known or not.
 */
export async function findByLogin(
  deps: AccountsDeps,
  typed: string,
): Promise<{ user: User | undefined; claims: User[]; key: string }> {
  const login = readLogin(deps, typed);
  const claims = await findClaims(deps.db, login.kind, login.value);
  return { user: claims[0], claims, key: loginTriesOf(deps, login.value) };
}

/** As typed, in the one spelling that is stored; what is neither address nor number belongs to nobody. */
function readLogin(deps: AccountsDeps, input: string): { kind: 'email' | 'phone'; value: string } {
  if (input.includes('@')) return { kind: 'email', value: canonicalEmail(input) };
  try {
    return { kind: 'phone', value: deps.readPhone(input) };
  } catch {
    return { kind: 'phone', value: canonicalEmail(input) };
  }
}

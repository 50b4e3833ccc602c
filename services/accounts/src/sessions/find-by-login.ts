import type { AccountsDeps } from '../deps.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { findUserByEmail, findUserByPhone } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { triesOf } from './try-password.ts';

/** Whom somebody means by an address or a number, and under what tries at it are counted, also where nobody is meant. */
export async function findByLogin(
  deps: AccountsDeps,
  typed: string,
): Promise<{ user: User | undefined; key: string }> {
  const login = readLogin(deps, typed);
  const user =
    login.kind === 'email'
      ? await findUserByEmail(deps.db, login.value)
      : await findUserByPhone(deps.db, login.value);
  return { user, key: user ? triesOf(user) : `login:${deps.identityHash(login.value)}` };
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

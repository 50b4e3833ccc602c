import type { SignupFacts } from '@daylift/contracts/accounts.http';
import type { BillingDeps } from '../deps.ts';
import { type Customer, findCustomer, rememberCustomer } from './customers.repository.ts';

/** Stripe's balance is negative for credit. */
export const creditOf = ({ balance_cents }: Pick<Customer, 'balance_cents'>): number =>
  Math.max(0, -balance_cents);

/** Returns whether a name at the provider is or was the account's. If not, the subscriber set it in the portal. */
export const isAccountName = (
  { name, past_names }: Pick<Customer, 'name' | 'past_names'>,
  other: string,
): boolean => other === name || past_names.includes(other);

/** Returns the copy of a signup, or asks accounts if the browser is faster than the event. */
export async function findOrFetchCustomer(
  { db, accounts }: Pick<BillingDeps, 'db' | 'accounts'>,
  userId: string,
): Promise<Customer | undefined> {
  const known = await findCustomer(db, userId);
  if (known !== undefined) return known;
  const facts = await accounts.get<SignupFacts>(`/internal/signups/${userId}`);
  if (facts === null) return undefined;
  await rememberCustomer(db, facts);
  return findCustomer(db, userId);
}

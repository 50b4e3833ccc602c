import type { BillingDeps } from '../deps.ts';
import { isMissing } from '../stripe-client.ts';
import { isAccountName } from './customers.actions.ts';
import { findCustomer } from './customers.repository.ts';

/** Keeps a company's name that the subscriber set in the portal. */
export async function updateCustomer(deps: BillingDeps, userId: string): Promise<void> {
  const customer = await findCustomer(deps.db, userId);
  if (customer === undefined || customer.stripe_customer_id === null) return;
  const { stripe_customer_id: id, email, name } = customer;
  try {
    const known = await deps.stripe.customers.retrieve(id);
    if (known.deleted) return;
    const isOurs = isAccountName(customer, known.name ?? '');
    await deps.stripe.customers.update(id, { email, ...(isOurs && { name }) });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

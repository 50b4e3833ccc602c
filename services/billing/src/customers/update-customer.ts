import type { BillingDeps } from '../deps.ts';
import { isMissing } from '../stripe-client.ts';
import { findCustomer } from './customers.repository.ts';

export async function updateCustomer(deps: BillingDeps, userId: string): Promise<void> {
  const customer = await findCustomer(deps.db, userId);
  if (customer === undefined || customer.stripe_customer_id === null) return;
  const { email, name } = customer;
  try {
    await deps.stripe.customers.update(customer.stripe_customer_id, { email, name });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

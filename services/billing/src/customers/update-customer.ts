import type { BillingDeps } from '../deps.ts';
import { isMissing } from '../stripe-client.ts';
import { findCustomer } from './customers.repository.ts';

/** The name is set once: from then on, the subscriber can replace it with a company's in the portal. */
export async function updateCustomer(deps: BillingDeps, userId: string): Promise<void> {
  const customer = await findCustomer(deps.db, userId);
  if (customer === undefined || customer.stripe_customer_id === null) return;
  try {
    await deps.stripe.customers.update(customer.stripe_customer_id, {
      email: customer.email,
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

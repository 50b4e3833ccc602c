import type Stripe from 'stripe';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { NoCustomer, OriginRefused, PortalUnavailable, UnknownUser } from '../errors.ts';
import { allowedOrigin } from '../origin.ts';

/** Identifies our portal configuration among those of the Stripe account. */
const purpose = 'card-invoices-and-details';

const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
  customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
  // Plans are changed and canceled on our own dashboard.
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
};

/** Returns a new portal URL for card, invoices and billing details. The portal links back to the caller's Plan tab. */
export async function openPortal(
  deps: BillingDeps,
  userId: string,
  originUrl: string,
): Promise<string> {
  const origin = allowedOrigin(deps.allowedOrigins, originUrl);
  if (origin === null) throw new OriginRefused();
  const customer = await findOrFetchCustomer(deps, userId);
  if (customer === undefined) throw new UnknownUser();
  if (customer.stripe_customer_id === null) throw new NoCustomer();
  try {
    const session = await deps.stripe.billingPortal.sessions.create({
      customer: customer.stripe_customer_id,
      configuration: await ensureConfiguration(deps.stripe),
      return_url: `${origin}/dashboard?tab=plan`,
    });
    return session.url;
  } catch (error) {
    deps.log.error({ err: error }, 'portal creation failed');
    throw new PortalUnavailable();
  }
}

async function ensureConfiguration(stripe: Stripe): Promise<string> {
  for await (const known of stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
    if (known.metadata?.purpose === purpose) return known.id;
  const created = await stripe.billingPortal.configurations.create(
    { features, metadata: { purpose } },
    { idempotencyKey: `portal-configuration:${purpose}` },
  );
  return created.id;
}

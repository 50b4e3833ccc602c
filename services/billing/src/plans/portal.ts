import type Stripe from 'stripe';
import { allowedOrigin } from '../checkouts/origin.ts';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { NoCustomer, OriginRefused, PortalUnavailable, UnknownUser } from '../errors.ts';

/** Finds our configuration of the portal again among those of the account. */
const purpose = 'card-and-invoices';

const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
  // The plan is changed and cancelled on our own dashboard, in one place and with our words.
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
};

/** A fresh address of the provider's page for card and invoices; it leads back to the dashboard of the page it came from. */
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
      return_url: `${origin}/dashboard`,
    });
    return session.url;
  } catch (error) {
    deps.log.error({ err: error }, 'the portal could not be opened');
    throw new PortalUnavailable();
  }
}

async function ensureConfiguration(stripe: Stripe): Promise<string> {
  for await (const known of stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
    if (known.metadata?.purpose === purpose) return known.id;
  const made = await stripe.billingPortal.configurations.create(
    { features, metadata: { purpose } },
    { idempotencyKey: `portal-configuration:${purpose}` },
  );
  return made.id;
}

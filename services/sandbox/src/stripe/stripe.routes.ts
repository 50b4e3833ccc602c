import type { FastifyInstance } from 'fastify';
import type { SandboxDeps } from '../deps.ts';
import { serveApi } from './api/serve.ts';
import { priceEndpoints } from './catalogue/prices.ts';
import { productEndpoints } from './catalogue/products.ts';
import { registerCheckoutControl } from './checkout/checkout.control.ts';
import { registerCheckoutPages } from './checkout/checkout.pages.ts';
import { checkoutEndpoints } from './checkout/checkout-sessions.ts';
import { customerEndpoints } from './customers/customers.ts';
import { invoiceEndpoints } from './invoices/invoices.endpoints.ts';
import { openStripe } from './open-stripe.ts';
import { paymentEndpoints } from './payments/payments.endpoints.ts';
import { portalEndpoints } from './portal/portal.endpoints.ts';
import { registerPortalPages } from './portal/portal.pages.ts';
import { subscriptionEndpoints } from './subscriptions/subscriptions.endpoints.ts';
import { webhookEndpoints } from './webhooks/webhooks.endpoints.ts';

/** Emulates Stripe: the API at `/v1`, the pages, and the control call that completes a checkout. */
export async function registerStripe(app: FastifyInstance, deps: SandboxDeps): Promise<void> {
  const stripe = openStripe(deps);
  serveApi(app, deps, stripe, [
    ...customerEndpoints,
    ...productEndpoints,
    ...priceEndpoints,
    ...checkoutEndpoints,
    ...subscriptionEndpoints,
    ...invoiceEndpoints,
    ...paymentEndpoints,
    ...portalEndpoints,
    ...webhookEndpoints(stripe.dispatcher),
  ]);
  registerCheckoutPages(app, stripe);
  registerCheckoutControl(app, stripe);
  registerPortalPages(app, stripe);
}

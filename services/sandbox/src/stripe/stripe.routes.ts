import type { FastifyInstance } from 'fastify';
import type { SandboxDeps } from '../deps.ts';
import { serveApi } from './api/serve.ts';
import { priceEndpoints } from './catalogue/prices.endpoints.ts';
import { productEndpoints } from './catalogue/products.endpoints.ts';
import { registerCheckoutControl } from './checkout/checkout.control.ts';
import { checkoutEndpoints } from './checkout/checkout.endpoints.ts';
import { registerCheckoutPages } from './checkout/checkout.pages.ts';
import { customerEndpoints } from './customers/customers.endpoints.ts';
import { invoiceEndpoints } from './invoices/invoices.endpoints.ts';
import { openStripe } from './open-stripe.ts';
import { paymentEndpoints } from './payments/payments.endpoints.ts';
import { portalEndpoints } from './portal/portal.endpoints.ts';
import { registerPortalPages } from './portal/portal.pages.ts';
import { subscriptionEndpoints } from './subscriptions/subscriptions.endpoints.ts';
import { webhookEndpoints } from './webhooks/webhooks.endpoints.ts';

/** The stand-in for Stripe: its API at `/v1`, its pages, and the control call that completes a checkout. */
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
  registerCheckoutPages(app, deps, stripe);
  registerCheckoutControl(app, deps, stripe);
  registerPortalPages(app, stripe);
}

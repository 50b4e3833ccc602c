import type { FastifyInstance } from 'fastify';
import type { SandboxDeps } from '../deps.ts';
import { listed } from './api/endpoint.ts';
import { list, optional, text } from './api/params.ts';
import { serveApi } from './api/serve.ts';
import { catalogueEndpoints } from './catalogue/catalogue.ts';
import { couponEndpoints } from './catalogue/coupons.ts';
import { registerCheckoutControl } from './checkout/checkout.control.ts';
import { registerCheckoutPages } from './checkout/checkout.pages.ts';
import { checkoutEndpoints } from './checkout/checkout-sessions.ts';
import { customerEndpoints } from './customers/customers.ts';
import { registerInvoicePages } from './invoices/invoice.pages.ts';
import { invoiceEndpoints } from './invoices/invoices.endpoints.ts';
import { openStripe } from './open-stripe.ts';
import { registerDisputeControl } from './payments/disputes.control.ts';
import { paymentEndpoints } from './payments/payments.endpoints.ts';
import { portalEndpoints } from './portal/portal.endpoints.ts';
import { registerPortalPages } from './portal/portal.pages.ts';
import { subscriptionEndpoints } from './subscriptions/subscriptions.endpoints.ts';

const eventEndpoints = [
  listed(
    '/v1/events',
    (tables) => tables.events,
    { type: optional(text), types: optional(list(text, { maxItems: 20 })) },
    () => ({
      filters: { types: (event, types: string[]) => types.includes(event.type) },
    }),
  ),
];

/** Emulates Stripe: the API at `/v1`, the pages, and the control calls for checkouts and disputes. */
export async function registerStripe(app: FastifyInstance, deps: SandboxDeps): Promise<void> {
  const stripe = openStripe(deps);
  serveApi(app, deps, stripe, [
    ...customerEndpoints,
    ...catalogueEndpoints,
    ...couponEndpoints,
    ...checkoutEndpoints,
    ...subscriptionEndpoints,
    ...invoiceEndpoints,
    ...paymentEndpoints,
    ...portalEndpoints,
    ...eventEndpoints,
  ]);
  registerCheckoutPages(app, stripe);
  registerCheckoutControl(app, stripe);
  registerDisputeControl(app, stripe);
  registerPortalPages(app, stripe);
  registerInvoicePages(app, stripe);
}

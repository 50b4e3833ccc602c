import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { findInvoicePdf, listUserInvoices } from './user-invoices.ts';

export function userInvoiceRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /users/me/invoices': (request) =>
      listUserInvoices(deps.db, userOf(request).user_id, request.query),
    'GET /users/me/invoices/:invoice_id/pdf': async (request) => ({
      url: await findInvoicePdf(deps, userOf(request).user_id, request.params.invoice_id),
    }),
  });
}

import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { listUserInvoices } from './user-invoices.ts';

const shown = 24;

export function userInvoiceRoutes(app: Server, { db }: BillingDeps): void {
  implement(app, billingApi, {
    'GET /users/me/invoices': (request) => listUserInvoices(db, userOf(request).user_id, shown),
  });
}

import { UserInvoiceList } from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { BillingDeps } from '../deps.ts';
import { listUserInvoices } from './user-invoices.ts';

const shown = 24;

export async function userInvoiceRoutes(
  app: Server,
  { db }: Pick<BillingDeps, 'db'>,
): Promise<void> {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/invoices',
    { schema: { response: { 200: UserInvoiceList, 401: ErrorBody, 403: ErrorBody } } },
    async (request) => listUserInvoices(db, userOf(request).user_id, shown),
  );
}

import { CreateCheckoutRequest, CreateCheckoutResponse } from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import type { BillingDeps } from '../deps.ts';
import { createCheckout } from './checkouts.actions.ts';

export async function checkoutRoutes(app: Server, deps: BillingDeps): Promise<void> {
  app.post(
    '/payments/create-checkout',
    {
      schema: {
        body: CreateCheckoutRequest,
        response: {
          200: CreateCheckoutResponse,
          400: ErrorBody,
          404: ErrorBody,
          409: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async ({ body, identity }) =>
      createCheckout(deps, body, identity?.kind === 'user' ? identity.user_id : null),
  );
}

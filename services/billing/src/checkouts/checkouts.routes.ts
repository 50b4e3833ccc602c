import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { createCheckout } from './checkouts.actions.ts';
import { findPaymentStatus } from './payment-status.ts';

export function checkoutRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /payments/status/:session_id': ({ params }) => findPaymentStatus(deps, params.session_id),
    'POST /payments/create-checkout': ({ body, identity }) =>
      createCheckout(deps, body, identity?.kind === 'user' ? identity.user_id : null),
  });
}

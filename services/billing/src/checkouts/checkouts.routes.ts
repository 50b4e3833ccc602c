import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { createCheckout } from './checkouts.actions.ts';

export function checkoutRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'POST /payments/create-checkout': ({ body, identity }) =>
      createCheckout(deps, body, identity?.kind === 'user' ? identity.user_id : null),
  });
}

import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { findPaymentStatus } from './payments.actions.ts';

export function paymentRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /payments/status/:session_id': ({ params }) => findPaymentStatus(deps, params.session_id),
  });
}

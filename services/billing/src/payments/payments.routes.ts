import { PaymentStatus, PaymentStatusParams } from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import type { BillingDeps } from '../deps.ts';
import { findPaymentStatus } from './payments.actions.ts';

export async function paymentRoutes(app: Server, deps: BillingDeps): Promise<void> {
  app.get(
    '/payments/status/:session_id',
    {
      schema: {
        params: PaymentStatusParams,
        response: { 200: PaymentStatus, 400: ErrorBody, 404: ErrorBody, 503: ErrorBody },
      },
    },
    async ({ params }) => findPaymentStatus(deps, params.session_id),
  );
}

import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { describeDispute } from './describe-dispute.ts';
import { listUnanswered } from './disputes.repository.ts';

const shown = 100;

export function disputeRoutes(app: Server, { db }: Pick<BillingDeps, 'db'>): void {
  implement(app, billingApi, {
    'GET /admin/disputes': async () =>
      (await listUnanswered(db, shown)).map((dispute) => ({
        ...describeDispute(dispute),
        user_id: dispute.user_id,
      })),
  });
}

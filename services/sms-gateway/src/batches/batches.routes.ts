import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { findBatches } from './batches.repository.ts';

export function batchRoutes(app: Server, { db, clock }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/sms-batches': (request) => findBatches(db, request.query.limit, clock.now()),
  });
}

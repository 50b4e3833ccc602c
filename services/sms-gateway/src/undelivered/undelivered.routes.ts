import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { findUndelivered } from './undelivered.repository.ts';

/** For the scheduler's list of undelivered texts. */
export function undeliveredRoutes(app: Server, { db }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /internal/undelivered': (request) => findUndelivered(db, request.query),
  });
}

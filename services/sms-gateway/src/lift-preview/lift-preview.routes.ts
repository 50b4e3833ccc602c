import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { previewLift } from './preview-lift.ts';

export function liftPreviewRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/freeze/lift-preview': () => previewLift(deps),
  });
}

import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { sendTestText } from './test-texts.actions.ts';

export function testTextRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'POST /admin/test-texts': async (request) => {
      await sendTestText(deps, request.body, actingAdmin(request));
      return { detail: 'Test text queued.' };
    },
  });
}

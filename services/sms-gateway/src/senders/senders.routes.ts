import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { readSenderLoad } from './sender-load.ts';
import { addSender, changeSender, listSenders, readOwnSender } from './senders.actions.ts';

export function senderRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/senders': () => listSenders(deps),
    'POST /admin/senders': (request) => addSender(deps, request.body, actingAdmin(request)),
    'PUT /admin/senders/:number': (request) =>
      changeSender(deps, request.params.number, request.body, actingAdmin(request)),
    'POST /internal/sender-load': (request) => readSenderLoad(deps, request.body.user_ids),
    'GET /users/me/sender': (request) => readOwnSender(deps, userOf(request).user_id),
  });
}

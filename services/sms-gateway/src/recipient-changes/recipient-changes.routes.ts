import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { Forbidden } from '@daylift/server/error';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { saveRecipient } from './recipient-changes.ts';

/** Applies a user's data ahead of its event, so a change stops texts before the user sees the response. */
export function recipientRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'POST /internal/recipients': async ({ identity, body }) => {
      if (identity?.kind !== 'service' || identity.name !== 'accounts') throw new Forbidden();
      await deps.db.transaction().execute((trx) => saveRecipient(trx, body, deps));
    },
  });
}

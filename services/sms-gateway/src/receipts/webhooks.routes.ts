import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { ForgedWebhook, MalformedWebhook } from '../errors.ts';
import { receiveText } from '../inbound/inbound.actions.ts';
import { inboundOf, readEvent } from './receipt.ts';
import { createReceiveReceipt } from './receipts.actions.ts';

/**
 * Receipts at /webhooks/telnyx/<text> and texts from people at /webhooks/telnyx/inbound; the event's type decides, not
 * the address. 2xx means that the event is stored and has taken effect.
 */
export async function webhookRoutes(app: Server, deps: SmsDeps): Promise<void> {
  // The signature is over the raw body.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  const receiveReceipt = createReceiveReceipt(deps.db);
  const parseBody = (raw: Buffer): unknown => {
    try {
      return JSON.parse(raw.toString('utf8'));
    } catch {
      return null;
    }
  };
  implement(app, smsGatewayApi, {
    'POST /webhooks/telnyx/:dispatch': async (request) => {
      const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      if (!deps.verifyWebhook(raw, request.headers)) throw new ForgedWebhook();
      const event = readEvent(parseBody(raw));
      if (event === null) throw new MalformedWebhook();
      const inbound = inboundOf(event);
      if (inbound === null) {
        const { dispatch } = request.params;
        await receiveReceipt({ event, hint: dispatch, now: deps.clock.now() });
      } else await deps.db.transaction().execute((trx) => receiveText(trx, inbound, deps));
      return { received: true as const };
    },
  });
}

import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { Type } from 'typebox';
import type { SmsDeps } from '../deps.ts';
import { ForgedWebhook, MalformedWebhook } from '../errors.ts';
import { receiveText } from '../inbound/inbound.actions.ts';
import { inboundOf, readEvent } from './receipt.ts';
import { receiveReceipt } from './receipts.actions.ts';

const maxBodyBytes = 256 * 1024;
const Params = Type.Object({ dispatch: Type.String({ minLength: 1, maxLength: 100 }) });
const Taken = Type.Object({ received: Type.Literal(true) });

/**
 * What the provider tells us, receipts at /webhooks/telnyx/<text> and texts from people at /webhooks/telnyx/inbound. The
 * event's type decides, not the address. 2xx means that it is stored and has taken effect.
 */
export async function registerWebhooks(app: Server, deps: SmsDeps): Promise<void> {
  // The signature is over these bytes: whoever parses and prints them anew can verify nothing.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request, body, done) => done(null, body),
  );
  const response = { 200: Taken, 400: ErrorBody, 401: ErrorBody, 413: ErrorBody };
  app.post(
    '/webhooks/telnyx/:dispatch',
    { schema: { params: Params, response }, bodyLimit: maxBodyBytes },
    async (request) => {
      const raw = (request.body as Buffer | undefined)?.toString('utf8') ?? '';
      const body = await deps.provider.verify(raw, request.headers).catch(() => {
        throw new ForgedWebhook();
      });
      const event = readEvent(body);
      if (event === null) throw new MalformedWebhook();
      const inbound = inboundOf(event);
      if (inbound === null) {
        const { dispatch } = request.params;
        await receiveReceipt(deps.db, { event, hint: dispatch, now: deps.clock.now() });
      } else await deps.db.transaction().execute((trx) => receiveText(trx, inbound, deps));
      return { received: true as const };
    },
  );
}

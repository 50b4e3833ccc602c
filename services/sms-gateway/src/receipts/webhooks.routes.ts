import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { CollectedWebhook } from '@daylift/contracts/webhook';
import { errorResponse, type Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { inRequest } from '@daylift/server/request-scope';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { SmsDeps } from '../deps.ts';
import { ForgedWebhook, MalformedWebhook } from '../errors.ts';
import { receiveText } from '../inbound/inbound.actions.ts';
import { inboundOf, readEvent } from './receipt.ts';
import { createReceiveReceipt } from './receipts.actions.ts';

interface Webhook {
  raw: Buffer;
  headers: Record<string, unknown>;
  dispatch: string;
}

/**
 * Receipts at /webhooks/telnyx/<text>, usually in sets from the gateway, and inbound texts at
 * /webhooks/telnyx/inbound; the event's type decides, not the address. 2xx means that the event is stored and has taken
 * effect.
 */
export async function webhookRoutes(app: Server, deps: SmsDeps): Promise<void> {
  const receive = createReceiveWebhook(deps);
  const receiveCollected = async (webhook: CollectedWebhook) => {
    const { request_id, params, headers, base64 } = webhook;
    try {
      const raw = Buffer.from(base64, 'base64');
      return {
        status: 200,
        body: await receive({ raw, headers, dispatch: params.dispatch ?? '' }),
      };
    } catch (error) {
      const response = errorResponse(error as FastifyError, request_id);
      if (response.status >= 500) deps.log.error({ err: error }, 'request failed');
      return response;
    }
  };
  implement(app, smsGatewayApi, {
    'POST /internal/webhooks/telnyx': ({ body }) =>
      Promise.all(body.map((one) => inRequest(one, () => receiveCollected(one)))),
  });
  await app.register(async (scope) => {
    // The signature is over the raw body.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    const webhookOf = ({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>) => ({
      raw: (body as Buffer | undefined) ?? Buffer.alloc(0),
      headers,
    });
    implement(scope, smsGatewayApi, {
      'POST /webhooks/telnyx/inbound': (request) =>
        receive({ ...webhookOf(request), dispatch: 'inbound' }),
      'POST /webhooks/telnyx/:dispatch': (request) =>
        receive({ ...webhookOf(request), ...request.params }),
    });
  });
}

function createReceiveWebhook(deps: SmsDeps) {
  const receiveReceipt = createReceiveReceipt(deps.db);
  return async ({ raw, headers, dispatch }: Webhook) => {
    if (!deps.verifyWebhook(raw, headers)) throw new ForgedWebhook();
    const event = readEvent(parseBody(raw));
    if (event === null) throw new MalformedWebhook();
    const inbound = inboundOf(event);
    if (inbound === null) await receiveReceipt({ event, hint: dispatch, now: deps.clock.now() });
    else await deps.db.transaction().execute((trx) => receiveText(trx, inbound, deps));
    return { received: true as const };
  };
}

function parseBody(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}

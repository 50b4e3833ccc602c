import type { CollectedWebhook, WebhookResponses } from '@daylift/contracts/webhook';
import { createInternalClient } from '@daylift/server/internal-client';
import { runOutsideRequests } from '@daylift/server/request-scope';
import { createSetWriter } from '@daylift/server/set-writer';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  answerFailure,
  createForward,
  type Forward,
  type ForwardOptions,
  only,
} from './forward.ts';
import type { ApiRoute } from './routes-table.ts';
import type { Service } from './upstreams.ts';

const maxWebhooks = 200;
const collectMs = 25;
const timeoutMs = 10_000;
/** Larger webhooks are forwarded alone, so a set stays under the body limit. */
const maxBytes = 8 * 1024;
const signatureHeaders = ['telnyx-signature-ed25519', 'telnyx-timestamp'];

/**
 * Forwards webhooks that arrive together in one request, and returns the service's response to each. If the request
 * fails, each gets a 5xx, so the provider sends it again.
 */
export function createForwardInSets(
  options: ForwardOptions,
  route: ApiRoute & { upstream: Service },
  path: string,
): Forward {
  const forward = createForward(options, route);
  const client = createInternalClient({
    key: options.identityKey,
    to: route.upstream,
    baseUrl: options.urls[route.upstream],
    timeoutMs,
  });
  const { add } = createSetWriter<CollectedWebhook, WebhookResponses[number] | Error | null>({
    maxItems: maxWebhooks,
    collectMs,
    async write(webhooks) {
      try {
        const responses = await runOutsideRequests(() =>
          client.get<WebhookResponses>(path, webhooks),
        );
        // During an upgrade, a service of the previous version takes them only one by one.
        return responses ?? webhooks.map(() => null);
      } catch (error) {
        return webhooks.map(() => error as Error);
      }
    },
  });
  async function respond(request: FastifyRequest, reply: FastifyReply, body: Buffer) {
    const response = await add({
      request_id: request.id,
      traceparent: currentTraceparent(),
      params: request.params as Record<string, string>,
      headers: only(signatureHeaders, request.headers) as Record<string, string>,
      base64: body.toString('base64'),
    });
    if (response instanceof Error) throw response;
    if (response === null) forward(request, reply, null);
    else reply.code(response.status).send(response.body);
  }
  return (request, reply, identity) => {
    const body = request.body as Buffer | undefined;
    if (body === undefined || body.length > maxBytes) return forward(request, reply, identity);
    respond(request, reply, body).catch((error: Error) =>
      answerFailure(reply, error, options.productName),
    );
    return reply;
  };
}

import type { CollectedWebhook, WebhookResponses } from '@daylift/contracts/webhook';
import { createInternalClient } from '@daylift/server/internal-client';
import { runOutsideRequests } from '@daylift/server/request-scope';
import { createSetWriter } from '@daylift/server/set-writer';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createForward, type Forward, type ForwardOptions, only, sendFailure } from './forward.ts';
import type { ApiRoute } from './routes-table.ts';
import type { Service } from './upstreams.ts';

/** With the limits of each, a set stays below 3 MB; the service takes 4 MiB. */
const maxWebhooks = 200;
const collectMs = 60;
const timeoutMs = 10_000;
/** So one set without a response doesn't make all others wait until it times out. */
const patienceMs = 1_000;
/** Larger webhooks are forwarded alone. */
const maxBytes = 8 * 1024;
const signatureHeaders = ['telnyx-signature-ed25519', 'telnyx-timestamp'];
/** About three times what a signature needs. */
const maxSignatureBytes = 300;

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
    patienceMs,
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
  async function respond(request: FastifyRequest, reply: FastifyReply, webhook: CollectedWebhook) {
    const response = await add(webhook);
    if (response instanceof Error) throw response;
    if (response === null) forward(request, reply, null);
    else reply.code(response.status).send(response.body);
  }
  return (request, reply, identity) => {
    const body = request.body as Buffer | undefined;
    const headers = only(signatureHeaders, request.headers) as Record<string, string>;
    const signatureBytes = Object.values(headers).join('').length;
    if (body === undefined || body.length > maxBytes || signatureBytes > maxSignatureBytes)
      return forward(request, reply, identity);
    const webhook: CollectedWebhook = {
      request_id: request.id,
      traceparent: currentTraceparent(),
      params: request.params as Record<string, string>,
      headers,
      base64: body.toString('base64'),
    };
    respond(request, reply, webhook).catch((error: Error) =>
      sendFailure(reply, error, options.productName),
    );
    return reply;
  };
}

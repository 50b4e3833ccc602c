import type { ErrorBody } from '@daylift/contracts/error';
import {
  createIdentitySigner,
  type Identity,
  type IdentityKey,
  identityHeader,
} from '@daylift/server/identity';
import { traceHeaders } from '@daylift/telemetry/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PartTooSlow, PartUnavailable } from './errors.ts';
import type { ApiRoute } from './routes-table.ts';
import type { Service, UpstreamUrls } from './upstreams.ts';

/** Request headers that services see. All others, including tokens, are dropped. */
const requestHeaders = [
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'host',
  'user-agent',
  'stripe-signature',
  'telnyx-signature-ed25519',
  'telnyx-timestamp',
];
const responseHeaders = [
  'cache-control',
  'content-disposition',
  'content-length',
  'content-type',
  'retry-after',
  'x-total-count',
];

type Headers = Record<string, string | string[] | undefined>;
export const only = (names: string[], headers: Headers): Headers =>
  Object.fromEntries(
    names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]),
  );

const usualMs = 10_000;
/** Longer than the 20 s that services wait for a batch or a plan change. */
const slowMs = 30_000;
const retryAfterMs = 50;
/** The service is restarting: it didn't receive the request, or can't respond to it. */
const connectionLostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);
const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? '';

export type Forward = (
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity | null,
) => FastifyReply;

export interface ForwardOptions {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
  productName: string;
}

export function createForward(
  options: ForwardOptions,
  route: ApiRoute & { upstream: Service },
): Forward {
  const { upstream } = route;
  const sign = createIdentitySigner(options.identityKey, upstream);
  return (request, reply, identity) => {
    const [path = ''] = (request.raw.url ?? '').slice('/api'.length).split('?');
    const body = request.body as Buffer | undefined;
    return reply.from(path, {
      getUpstream: () => options.urls[upstream],
      timeout: route.endpoint.slow ? slowMs : usualMs,
      ...(body !== undefined && {
        body,
        contentType: request.headers['content-type'] ?? 'application/octet-stream',
      }),
      rewriteRequestHeaders: (_request, headers) => ({
        ...withoutEmptyBody(only(requestHeaders, headers), body),
        ...(identity !== null && { [identityHeader]: sign(identity) }),
        'x-request-id': request.id,
        'x-client-ip': request.ip,
        ...traceHeaders(),
      }),
      rewriteHeaders: (headers) => only(responseHeaders, headers),
      retryDelay: ({ err, attempt }) =>
        route.method === 'GET' && attempt === 0 && connectionLostCodes.has(codeOf(err))
          ? retryAfterMs
          : null,
      onError: (failed, { error }) => sendFailure(failed, error, options.productName),
    });
  };
}

/** Drops the content headers of a request without a body. */
function withoutEmptyBody(headers: Headers, body: Buffer | undefined): Headers {
  if (body !== undefined) return headers;
  const { 'content-length': _length, 'content-type': _type, ...rest } = headers;
  return rest;
}

export function sendFailure(
  reply: Parameters<FailureHandler>[0] | FastifyReply,
  error: Error,
  product: string,
): void {
  const Failure = timeoutCodes.has(codeOf(error.cause)) ? PartTooSlow : PartUnavailable;
  const { message, code, statusCode = 503 } = new Failure(product);
  const body: ErrorBody = { detail: message, code, request_id: reply.request.id };
  void reply.code(statusCode).send(body);
}
type FailureHandler = NonNullable<NonNullable<Parameters<FastifyReply['from']>[1]>['onError']>;

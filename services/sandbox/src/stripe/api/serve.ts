import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxDeps } from '../../deps.ts';
import { registerProviderFaults } from '../../provider-faults.ts';
import type { Stripe } from '../open-stripe.ts';
import { API_VERSION } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { Endpoint } from './endpoint.ts';
import { expandAll } from './expand.ts';
import { openIdempotency, type StoredResponse } from './idempotency.ts';
import { readParams } from './params.ts';
import { invalidRequest, StripeApiError } from './stripe-error.ts';

/** Serves the API at `/v1` as the unmodified SDK calls it. */
export function serveApi(
  app: FastifyInstance,
  deps: SandboxDeps,
  stripe: Stripe,
  endpoints: readonly Endpoint[],
): void {
  const handle = createHandler(deps, stripe);
  app.register(
    async (scope) => {
      acceptForms(scope);
      scope.setErrorHandler((error: Error, request, reply) => {
        const known = stripeError(error, request);
        return send(reply, { status: known.statusCode, body: known.body() });
      });
      scope.setNotFoundHandler((request) => {
        const url = `${request.method}: ${pathOf(request)}`;
        throw refusal(404, `Unrecognized request URL (${url}). This sandbox may not emulate it.`);
      });
      registerProviderFaults(scope, 'stripe', deps.faults);
      guard(scope, deps);
      for (const endpoint of endpoints) {
        scope.route({
          method: endpoint.method,
          url: endpoint.path.slice('/v1'.length),
          handler: (request, reply) => handle(endpoint, request, reply),
        });
      }
    },
    { prefix: '/v1' },
  );
}

/** Accepts forms, which stay text because the idempotency store compares them as they came. */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (body === '' || isForm) return done(null, body);
    done(
      invalidRequest(
        'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
      ),
    );
  });
}

function guard(scope: FastifyInstance, { config, faults }: SandboxDeps): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': newId('req', 14), 'stripe-version': API_VERSION });
    checkKey(request.headers.authorization, config.STRIPE_API_KEY);
    const version = request.headers['stripe-version'];
    if (version !== undefined && version !== API_VERSION) {
      throw invalidRequest(`This sandbox only supports API version ${API_VERSION}.`);
    }
    const { rate, code = 'api_error', status } = faults.current.error.stripe;
    if (faults.hits(rate)) throw injectedError(code, status);
  });
}

function checkKey(header: string | undefined, expected: string): void {
  const [scheme, credentials = ''] = (header ?? '').split(' ');
  const given =
    scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString().split(':')[0]! : credentials;
  if (given === '') {
    throw refusal(
      401,
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. "Authorization: Bearer YOUR_SECRET_KEY").',
    );
  }
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  if (a.length === b.length && timingSafeEqual(a, b)) return;
  throw refusal(401, `Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`);
}

const refusal = (status: number, message: string) =>
  new StripeApiError(status, 'invalid_request_error', message, {}, true);

const STATUS_OF_CODE: Record<string, number> = {
  rate_limit: 429,
  lock_timeout: 429,
  card_declined: 402,
};

function injectedError(code: string, status = STATUS_OF_CODE[code] ?? 500): StripeApiError {
  const type =
    status === 402 ? 'card_error' : status >= 500 ? 'api_error' : 'invalid_request_error';
  return new StripeApiError(status, type, `A fault dial responded with ${code}.`, { code }, true);
}

function createHandler(deps: SandboxDeps, stripe: Stripe) {
  const idempotency = openIdempotency(deps.store);

  return async (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) => {
    stripe.seenAt(`${request.protocol}://${request.host}`);
    const header = endpoint.method === 'POST' && request.headers['idempotency-key'];
    const key = typeof header === 'string' && header !== '' ? header : null;
    const fingerprint = `${request.method} ${pathOf(request)}\n${request.body ?? ''}`;
    if (key !== null) {
      reply.header('idempotency-key', key);
      const first = idempotency.begin(key, fingerprint);
      if (first) return send(reply.header('idempotent-replayed', 'true'), first);
      // In flight until the response has left, or the caller is gone.
      afterResponse(request, reply, () => idempotency.end(key));
    }
    const { expand = [], ...input } = readInput(endpoint, request);
    const act = await stripe.begin({
      id: String(reply.getHeader('request-id')),
      idempotency_key: key,
    });
    let result: StoredResponse;
    let executed = true;
    try {
      const { id = '' } = request.params as { id?: string };
      const body = endpoint.run(act, input as never, id);
      result = { status: 200, body: expandAll(act.tables, body, expand as string[]) };
    } catch (error) {
      const known = stripeError(error as Error, request);
      result = { status: known.statusCode, body: known.body() };
      executed = !known.beforeExecution;
    }
    if (key !== null && executed) idempotency.keep(key, fingerprint, result, act.at);
    // Changes are on the disk before the caller gets the response.
    await stripe.commit(act);
    if (responseIsLate(deps)) void stripe.send(act.events);
    else afterResponse(request, reply, () => void stripe.send(act.events));
    return send(reply, result);
  };
}

function send(reply: FastifyReply, { status, body }: StoredResponse): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(body));
}

function afterResponse(request: FastifyRequest, reply: FastifyReply, then: () => void): void {
  if (request.raw.socket.destroyed) then();
  else reply.raw.once('close', then);
}

/** Reads query and body; the SDK sends the parameters of a DELETE in either. */
function readInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const query = request.raw.url?.split('?').slice(1).join('?') ?? '';
  const body = endpoint.method === 'GET' ? '' : String(request.body ?? '');
  return readParams(endpoint.params, `${query}&${body}`);
}

/** With these dials on, webhooks leave before the response does. */
function responseIsLate({ faults }: SandboxDeps): boolean {
  const { accept_then_delay_ms, accept_then_drop, accept_then_error } = faults.current;
  return [accept_then_delay_ms, accept_then_drop, accept_then_error].some(
    (dial) => dial.stripe > 0,
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0]!;
}

function stripeError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
): StripeApiError {
  if (error instanceof StripeApiError) return error;
  const { statusCode = 500 } = error;
  if (statusCode < 500) return refusal(statusCode, error.message);
  request.log.error({ err: error }, 'stripe call failed');
  return new StripeApiError(500, 'api_error', 'An unknown error occurred in the sandbox.');
}

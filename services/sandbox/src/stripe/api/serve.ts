import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxDeps } from '../../deps.ts';
import { registerProviderFaults } from '../../provider-faults.ts';
import type { Stripe } from '../open-stripe.ts';
import { type Act, API_VERSION } from '../state/act.ts';
import type { Endpoint } from './endpoint.ts';
import { expandAll } from './expand.ts';
import { parseForm } from './form.ts';
import { type Answer, type Idempotency, openIdempotency } from './idempotency.ts';
import { newId } from './ids.ts';
import { readParams } from './params.ts';
import { invalidRequest, StripeApiError, unauthorized, unknownUrl } from './stripe-error.ts';

/** Serves the API at `/v1` as the unmodified SDK calls it. */
export function serveApi(
  app: FastifyInstance,
  deps: SandboxDeps,
  stripe: Stripe,
  endpoints: readonly Endpoint[],
): void {
  const idempotency = openIdempotency(deps.store);
  app.register(
    async (scope) => {
      takeForms(scope);
      scope.setErrorHandler((error: Error, request, reply) => writeError(error, request, reply));
      scope.setNotFoundHandler((request, reply) =>
        writeError(unknownUrl(request.method, pathOf(request)), request, reply),
      );
      registerProviderFaults(scope, 'stripe', deps.faults);
      guard(scope, deps);
      for (const endpoint of endpoints) {
        scope.route({
          method: endpoint.method,
          url: endpoint.path.slice('/v1'.length),
          handler: (request, reply) =>
            answer({ deps, stripe, idempotency }, endpoint, request, reply),
        });
      }
    },
    { prefix: '/v1' },
  );
}

/** Bodies are forms; they stay text here, because the idempotency store compares them as they came. */
function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, '');
    done(
      invalidRequest(
        'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
        {},
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
      throw invalidRequest(`This sandbox speaks API version ${API_VERSION} only.`, {});
    }
    const { rate, code = 'api_error', status } = faults.current.error.stripe;
    if (faults.hits(rate)) throw dialledError(code, status);
  });
}

function checkKey(header: string | undefined, expected: string): void {
  const [scheme, credentials = ''] = (header ?? '').split(' ');
  const given =
    scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString().split(':')[0]! : credentials;
  if (given === '') {
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. "Authorization: Bearer YOUR_SECRET_KEY").',
    );
  }
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  if (a.length === b.length && timingSafeEqual(a, b)) return;
  throw unauthorized(`Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`);
}

const STATUS_OF_CODE: Record<string, number> = {
  rate_limit: 429,
  lock_timeout: 429,
  card_declined: 402,
};

function dialledError(code: string, status = STATUS_OF_CODE[code] ?? 500): StripeApiError {
  const type =
    status === 402 ? 'card_error' : status >= 500 ? 'api_error' : 'invalid_request_error';
  return new StripeApiError(
    status,
    type,
    `The sandbox was told to answer ${code}.`,
    { code },
    true,
  );
}

interface Serving {
  deps: SandboxDeps;
  stripe: Stripe;
  idempotency: Idempotency;
}

async function answer(
  serving: Serving,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { idempotency } = serving;
  serving.stripe.seenAt(`${request.protocol}://${request.host}`);
  const key = endpoint.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  if (typeof key !== 'string' || key === '')
    return send(reply, await execute(serving, endpoint, request, reply));
  reply.header('idempotency-key', key);
  const fingerprint = `${request.method} ${pathOf(request)}\n${request.body ?? ''}`;
  const first = idempotency.begin(key, fingerprint);
  if (first) return send(reply.header('idempotent-replayed', 'true'), first);
  // In flight until the answer has left, or nobody waits for it any more.
  whenAnswered(request, reply, () => idempotency.end(key));
  return send(
    reply,
    await execute(serving, endpoint, request, reply, (result, at) =>
      idempotency.keep(key, fingerprint, result, at),
    ),
  );
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(body));
}

/** Runs a call; what it changed is on the disk before anybody is answered. */
async function execute(
  { deps, stripe }: Serving,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  keep: (result: Answer, at: number) => void = () => {},
): Promise<Answer> {
  const { expand = [], ...input } = readInput(endpoint, request);
  const key = request.headers['idempotency-key'];
  const act = await stripe.begin({
    id: String(reply.getHeader('request-id')),
    idempotency_key: typeof key === 'string' ? key : null,
  });
  const { result, began } = run(endpoint, act, input, request, expand as string[]);
  if (began) keep(result, act.at);
  await stripe.commit(act);
  if (answerMayBeLost(deps)) void stripe.send(act.events);
  else whenAnswered(request, reply, () => void stripe.send(act.events));
  return result;
}

/** Also when nobody waits for the answer any more. */
function whenAnswered(request: FastifyRequest, reply: FastifyReply, then: () => void): void {
  if (request.raw.socket.destroyed) then();
  else reply.raw.once('close', then);
}

function readInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const { url } = request.raw;
  const query = url?.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const body = endpoint.method === 'GET' ? '' : String(request.body ?? '');
  return readParams(endpoint.params, parseForm(`${query}&${body}`));
}

/** Runs the endpoint; `began` is false where it refused its parameters before it did anything. */
function run(
  endpoint: Endpoint,
  act: Act,
  input: object,
  request: FastifyRequest,
  expand: readonly string[],
): { result: Answer; began: boolean } {
  try {
    const body = endpoint.run(act, input as never, request.params as never);
    return { result: { status: 200, body: expandAll(act.tables, body, expand) }, began: true };
  } catch (error) {
    const known = stripeError(error as Error);
    if (known !== error) request.log.error({ err: error }, 'stripe call failed');
    const result = { status: known.statusCode, body: known.body() };
    return { result, began: !known.beforeExecution };
  }
}

/** With these dials on, webhooks leave before the answer does, so that both orders can be tried. */
function answerMayBeLost({ faults }: SandboxDeps): boolean {
  const { accept_then_delay_ms, accept_then_drop, accept_then_error } = faults.current;
  return (
    accept_then_delay_ms.stripe > 0 || accept_then_drop.stripe > 0 || accept_then_error.stripe > 0
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0]!;
}

function stripeError(error: Error & { statusCode?: number }): StripeApiError {
  if (error instanceof StripeApiError) return error;
  const { statusCode = 500 } = error;
  return statusCode < 500
    ? new StripeApiError(statusCode, 'invalid_request_error', error.message)
    : new StripeApiError(500, 'api_error', 'An unknown error occurred in the sandbox.');
}

function writeError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = stripeError(error);
  if (known.statusCode >= 500 && known !== error) {
    request.log.error({ err: error }, 'stripe call failed');
  }
  return send(reply, { status: known.statusCode, body: known.body() });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  contextOf,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  startSpan,
} from '@daylift/telemetry/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const scopes = new AsyncLocalStorage<{ request_id: string }>();

/** On whose behalf something runs, for logs; empty outside of requests. */
export const requestFields = (): { request_id?: string } => scopes.getStore() ?? {};

/** For what a request only sets going: it serves others too, and outlives it. */
export const outsideRequests = <T>(work: () => T): T =>
  scopes.exit(() => context.with(ROOT_CONTEXT, work));

/** Asked by machines, again and again. */
const untraced = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Whatever a request leads to knows its id, and is part of its trace. At the door each request begins one, whatever it
 * says itself; a service goes on with those that come from inside, and begins none.
 */
export function followRequests(app: FastifyInstance, options: { isDoor: boolean }): void {
  const spans = new WeakMap<FastifyRequest, Span>();

  function within(request: FastifyRequest, done: () => void): void {
    const span = spans.get(request);
    scopes.run({ request_id: request.id }, () =>
      span === undefined ? done() : context.with(contextOf(span), done),
    );
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const span = startRequest(request, options.isDoor);
    if (span !== null) spans.set(request, span);
    within(request, done);
  });
  // A body that was read in between has left the scope.
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    within(request, () => {
      done();
      const span = spans.get(request);
      span?.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    });
  });
}

function startRequest(request: FastifyRequest, isDoor: boolean): Span | null {
  // The pattern, never the address: that may hold what is nobody's business.
  const route = request.routeOptions.url ?? 'none';
  if (untraced.has(route)) return null;
  const { traceparent } = request.headers;
  const parent = isDoor || typeof traceparent !== 'string' ? null : traceparent;
  return startSpan(`${request.method} ${route}`, {
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'daylift.request_id': request.id,
    },
    parent,
    begins: isDoor,
  });
}

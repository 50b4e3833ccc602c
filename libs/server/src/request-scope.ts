import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  contextOf,
  inTrace,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  startSpan,
} from '@daylift/telemetry/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { noteActivity } from './activity.ts';

const scopes = new AsyncLocalStorage<{ request_id: string }>();

export const requestFields = (): { request_id?: string } => scopes.getStore() ?? {};

/** Runs shared work outside of the scope of the request that triggered it. */
export const runOutsideRequests = <T>(work: () => T): T =>
  scopes.exit(() => context.with(ROOT_CONTEXT, work));

/** Runs work in the scope of one request of a set. */
export const inRequest = <T>(
  { request_id, traceparent }: { request_id: string; traceparent: string | null },
  work: () => T,
): T => scopes.run({ request_id }, () => inTrace(traceparent, work));

const untraced = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Adds the request id and trace to everything a request causes. The public server starts a new trace for each request,
 * ignoring its headers; services continue the caller's trace and start none.
 */
export function followRequests(app: FastifyInstance, options: { isPublic: boolean }): void {
  const spans = new WeakMap<FastifyRequest, Span>();

  function within(request: FastifyRequest, done: () => void): void {
    const span = spans.get(request);
    scopes.run({ request_id: request.id }, () =>
      span === undefined ? done() : context.with(contextOf(span), done),
    );
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const span = startRequest(request, options.isPublic);
    if (span !== null) spans.set(request, span);
    within(request, done);
  });
  // Parsing the body leaves the async scope.
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') noteActivity();
    done(null, payload);
  });
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

function startRequest(request: FastifyRequest, isPublic: boolean): Span | null {
  const route = request.routeOptions.url ?? 'none';
  if (untraced.has(route)) return null;
  const { traceparent } = request.headers;
  const parent = isPublic || typeof traceparent !== 'string' ? null : traceparent;
  return startSpan(`${request.method} ${route}`, {
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'daylift.request_id': request.id,
    },
    parent,
    begins: isPublic,
  });
}

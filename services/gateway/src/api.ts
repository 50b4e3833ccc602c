import { ErrorBody } from '@daylift/contracts/error';
import { AdminAnalytics } from '@daylift/contracts/gateway.http';
import { Parked } from '@daylift/contracts/parked.http';
import type { Server } from '@daylift/server/create-server';
import type { Identity } from '@daylift/server/identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Authenticate } from './auth.ts';
import { NothingHere } from './errors.ts';
import type { Forward } from './forward.ts';
import { type Live, liveSchema } from './live/live.routes.ts';
import type { CheckRate } from './rate-limits.ts';
import { type ApiRoute, apiRoutes, type RateClass } from './routes-table.ts';
import type { Service } from './upstreams.ts';

export interface ApiParts {
  authenticate: Authenticate;
  /** Null while the limits are lifted. */
  rateCheck: ((rate: RateClass) => CheckRate) | null;
  forwardTo: (route: ApiRoute & { upstream: Service }) => Forward;
  readAnalytics: () => Promise<AdminAnalytics>;
  live: Live;
  readParked: () => Promise<Parked>;
}

const webhookBytes = 256 * 1024;
/** A file of a megabyte, as JSON writes it. */
const fileBytes = 4 * 1024 * 1024;

/** Puts every row of the table behind its guards; all else below /api is nothing. */
export async function registerApi(app: Server, parts: ApiParts): Promise<void> {
  await app.register(async (scope) => {
    takeRawBodies(scope, 'application/json');
    for (const route of apiRoutes.filter((one) => one.access !== 'webhook'))
      registerRoute(scope, route, parts);
  });
  await app.register(async (scope) => {
    // Signed by the provider over the bytes as they were sent, whatever it calls them.
    takeRawBodies(scope, '*');
    for (const route of apiRoutes.filter((one) => one.access === 'webhook'))
      registerRoute(scope, route, parts);
  });
  for (const url of ['/api', '/api/*']) {
    app.all(
      url,
      {
        onRequest: async () => {
          throw new NothingHere();
        },
      },
      async () => undefined,
    );
  }
}

/** The service parses and checks; here a body is only measured and handed on. An empty one is none, whatever its type. */
function takeRawBodies(scope: Server, type: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length === 0 ? undefined : body);
  });
}

/** The answers that are put together here. */
function composed(
  path: string,
  parts: ApiParts,
): { answer: TSchema; read: () => Promise<unknown> } {
  if (path === '/admin/parked') return { answer: Parked, read: parts.readParked };
  return { answer: AdminAnalytics, read: parts.readAnalytics };
}

function registerRoute(scope: Server, route: ApiRoute, parts: ApiParts): void {
  const { upstream, method, access } = route;
  const url = `/api${route.path}`;
  const identities = new WeakMap<FastifyRequest, Identity>();
  const checkRate = parts.rateCheck?.(route.rate);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await checkRate?.(request, reply);
    const identity = await parts.authenticate(request, route);
    if (identity !== null) identities.set(request, identity);
  };
  if (route.path === '/admin/live') {
    scope.route({
      method,
      url,
      onRequest,
      schema: liveSchema,
      handler: (request, reply) =>
        parts.live.answer(request, reply, {
          identity: identities.get(request) ?? null,
          checkAccess: () => parts.authenticate(request, route),
        }),
    });
    return;
  }
  if (upstream === 'gateway') {
    const { answer, read } = composed(route.path, parts);
    const schema = { response: { 200: answer, 401: ErrorBody, 403: ErrorBody, 503: ErrorBody } };
    scope.route({ method, url, onRequest, schema, handler: () => read() });
    return;
  }
  const forward = parts.forwardTo({ ...route, upstream });
  scope.route({
    method,
    url,
    onRequest,
    ...(access === 'webhook' && { bodyLimit: webhookBytes }),
    ...(route.large && { bodyLimit: fileBytes }),
    handler: (request, reply) => {
      forward(request, reply, identities.get(request) ?? null);
    },
  });
}

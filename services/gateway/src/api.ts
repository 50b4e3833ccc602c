import type { RateClass } from '@daylift/contracts/endpoint';
import type { AllFailedItems } from '@daylift/contracts/failed.http';
import type { gatewayApi } from '@daylift/contracts/gateway.api';
import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import type { Server } from '@daylift/server/create-server';
import type { Identity } from '@daylift/server/identity';
import { bodyLimitOf, routeSchema } from '@daylift/server/implement';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from './auth.ts';
import { NothingHere } from './errors.ts';
import type { Forward } from './forward.ts';
import type { Live } from './live/live.routes.ts';
import type { CheckRate } from './rate-limits.ts';
import { type ApiRoute, apiRoutes } from './routes-table.ts';
import type { Service } from './upstreams.ts';

export interface ApiParts {
  authenticate: Authenticate;
  rateCheck: ((rate: RateClass) => CheckRate) | null;
  forwardTo: (route: ApiRoute & { upstream: Service }) => Forward;
  readAnalytics: () => Promise<AdminAnalytics>;
  live: Live;
  readFailed: () => Promise<AllFailedItems>;
}

/** Registers every public endpoint behind its guards; anything else below /api is 404. */
export async function registerApi(app: Server, parts: ApiParts): Promise<void> {
  await app.register(async (scope) => {
    takeRawBodies(scope, 'application/json');
    for (const route of apiRoutes.filter((one) => one.access !== 'webhook'))
      registerRoute(scope, route, parts);
  });
  await app.register(async (scope) => {
    // Webhook signatures cover the raw bytes, whatever the content type.
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

/**
 * Passes bodies on unparsed: the service validates them, the gateway only limits their size. An empty body counts as
 * none.
 */
function takeRawBodies(scope: Server, type: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length === 0 ? undefined : body);
  });
}

type Compose = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: { identity: Identity | null; checkAccess: () => Promise<unknown> },
) => Promise<unknown>;
type ComposedKey = keyof typeof gatewayApi.endpoints;

const composed = (parts: ApiParts): Record<ComposedKey, Compose> => ({
  'GET /admin/analytics': () => parts.readAnalytics(),
  'GET /admin/live': (request, reply, caller) => parts.live.answer(request, reply, caller),
  'GET /admin/parked': () => parts.readFailed(),
});

const isForwarded = (route: ApiRoute): route is ApiRoute & { upstream: Service } =>
  route.upstream !== 'gateway';

function registerRoute(scope: Server, route: ApiRoute, parts: ApiParts): void {
  const { method, key } = route;
  const url = `/api${route.path}`;
  const identities = new WeakMap<FastifyRequest, Identity>();
  const checkRate = parts.rateCheck?.(route.rate);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await checkRate?.(request, reply);
    const identity = await parts.authenticate(request, route);
    if (identity !== null) identities.set(request, identity);
  };
  const identityOf = (request: FastifyRequest) => identities.get(request) ?? null;
  if (isForwarded(route)) {
    const forward = parts.forwardTo(route);
    scope.route({
      method,
      url,
      onRequest,
      ...bodyLimitOf(route.endpoint),
      handler: (request, reply) => {
        forward(request, reply, identityOf(request));
      },
    });
    return;
  }
  const compose = composed(parts)[key as ComposedKey];
  scope.route({
    method,
    url,
    onRequest,
    schema: routeSchema(route),
    handler: (request, reply) =>
      compose(request, reply, {
        identity: identityOf(request),
        checkAccess: () => parts.authenticate(request, route),
      }) as never,
  });
}

import {
  type Access,
  type Api,
  type BodyOf,
  type Endpoint,
  type EndpointEntry,
  type Endpoints,
  errorStatuses,
  listEndpoints,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  successStatuses,
} from '@daylift/contracts/endpoint';
import { ErrorBody } from '@daylift/contracts/error';
import type { FastifyReply, FastifyRequest, FastifySchema, RouteShorthandOptions } from 'fastify';
import { Type } from 'typebox';
import { createServer, type Server } from './create-server.ts';
import type { ReadinessChecks } from './health.ts';
import { registerIdentity, requireAdmin, requireService, requireUser } from './identity.ts';
import type { LogLevel } from './logger.ts';

type RequestOf<E> = FastifyRequest<{
  Params: ParamsOf<E>;
  Querystring: QueryOf<E>;
  Body: BodyOf<E>;
}>;
type Result<E> = ResponseOf<E> extends undefined ? unknown : ResponseOf<E> | FastifyReply;
type Handler<E> = (request: RequestOf<E>, reply: FastifyReply) => Result<E> | Promise<Result<E>>;
type ErasedHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Handlers of some endpoints of an API. A handler of a paged list returns `{ rows, total }`. */
export type Handlers<T extends Endpoints> = { [K in keyof T]?: Handler<T[K]> };

const guards: Record<Access, ((request: FastifyRequest) => Promise<void>) | null> = {
  public: null,
  visitor: null,
  webhook: null,
  user: requireUser,
  self: requireAdmin('viewer'),
  viewer: requireAdmin('viewer'),
  operator: requireAdmin('operator'),
  owner: requireAdmin('owner'),
  internal: requireService,
};

/** Fits a 1 MB file as JSON. */
const largeBytes = 4 * 1024 * 1024;
const webhookBytes = 256 * 1024;

export function bodyLimitOf({ access, large }: Endpoint): { bodyLimit?: number } {
  if (access === 'webhook') return { bodyLimit: webhookBytes };
  return large ? { bodyLimit: largeBytes } : {};
}

type RouteOptions = Pick<RouteShorthandOptions, 'preValidation' | 'attachValidation'>;

async function replaceMissingBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

export function implement<T extends Endpoints>(
  app: Server,
  api: Api<T>,
  handlers: Handlers<NoInfer<T>>,
  { preValidation = [], ...options }: RouteOptions = {},
): void {
  for (const entry of listEndpoints(api)) {
    const { key, method, path, endpoint } = entry;
    const handler = handlers[key] as ErasedHandler | undefined;
    if (handler === undefined) continue;
    const guard = guards[endpoint.access];
    app.route({
      ...options,
      method,
      url: path,
      ...(guard && { onRequest: guard }),
      preValidation: [endpoint.body ? replaceMissingBody : [], preValidation].flat(2),
      ...bodyLimitOf(endpoint),
      schema: routeSchema(entry),
      handler: withDeclaredStatus(endpoint, handler),
    });
  }
}

const withDeclaredStatus =
  (endpoint: Endpoint, handler: ErasedHandler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [status = 200] = successStatuses(endpoint);
    reply.code(status);
    const result = await handler(request, reply);
    if (status === 204) return null;
    if (!endpoint.paged) return result;
    const { rows, total } = result as { rows: unknown; total: number };
    reply.header('x-total-count', total);
    return rows;
  };

export function routeSchema(entry: EndpointEntry): FastifySchema {
  const { params, query, body, response = Type.Null(), type } = entry.endpoint;
  const success = type ? { content: { [type]: { schema: response } } } : response;
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      ...Object.fromEntries(errorStatuses(entry).map((status) => [status, ErrorBody])),
      ...Object.fromEntries(successStatuses(entry.endpoint).map((status) => [status, success])),
    },
  };
}

export interface AppSettings {
  logLevel: LogLevel;
  identityPublicKeys: string;
  readiness: ReadinessChecks;
}

/** Creates the server of a service. `ready` fails unless it registers exactly the endpoints of its API. */
export function createServiceServer(
  api: Api,
  { identityPublicKeys, ...settings }: AppSettings,
): Server {
  const app = createServer({ name: api.service, ...settings });
  registerIdentity(app, identityPublicKeys, api.service);
  expectEndpoints(app, api);
  return app;
}

export function expectEndpoints(app: Server, api: Api): void {
  const missing = new Set<string>(listEndpoints(api).map(({ key }) => key));
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (one !== 'HEAD' && !missing.delete(`${one} ${url}`))
        throw new Error(`${one} ${url} is not an endpoint of ${api.service}.`);
    }
  });
  app.addHook('onReady', async () => {
    if (missing.size > 0) throw new Error(`Not implemented: ${[...missing].join(', ')}.`);
  });
}

import { ErrorBody } from '@daylift/contracts/error';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { errorTable } from './error.ts';
import { requireService } from './identity.ts';

/** Where a service tells our other services what it answers. */
export const descriptionPath = '/internal/openapi';

/** Describes every route that is registered from here on by its schemas, to our own services alone. */
export async function registerDescription(app: FastifyInstance, name: string): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: name, version: '1' } },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({
      url,
      schema: withOwnRefusals(schema ?? {}, [route.method].flat()),
    }),
  });
  app.get(
    descriptionPath,
    { onRequest: requireService, schema: { hide: true } },
    async (): Promise<object> => ({ ...app.swagger(), 'x-errors': errorTable() }),
  );
}

/** What the server says by itself, before any route: to what is no text, to a body that is too large or no JSON. */
export const ownRefusals = (methods: string[]): number[] =>
  methods.some((method) => method === 'POST' || method === 'PUT') ? [400, 413, 415] : [400];

function withOwnRefusals(schema: FastifySchema, methods: string[]): FastifySchema {
  const refusals = ownRefusals(methods).map((status) => [status, ErrorBody]);
  const response = { ...Object.fromEntries(refusals), ...(schema.response as object | undefined) };
  return { ...schema, response };
}

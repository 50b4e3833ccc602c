import type { FastifyRequest } from 'fastify';

/**
 * For the `preValidation` of a route that may also be called with its fields in the query: without a body the query is
 * taken for it and checked in the same way.
 */
export async function bodyOrQuery(request: FastifyRequest): Promise<void> {
  if (request.body === undefined || request.body === null)
    request.body = { ...(request.query as Record<string, unknown>) };
}

import type { FastifyRequest } from 'fastify';

/**
 * For the `preValidation` of a route that may also be called with its fields in the query: without a body, or
 * with an empty one, the query is taken for it and checked in the same way.
 */
export async function bodyOrQuery(request: FastifyRequest): Promise<void> {
  const body = request.body ?? {};
  if (!Array.isArray(body) && typeof body === 'object' && Object.keys(body).length === 0)
    request.body = { ...(request.query as Record<string, unknown>) };
}

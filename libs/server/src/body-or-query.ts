import type { FastifyRequest } from 'fastify';

/**
 * For the `preValidation` of a route that also accepts its fields in the query: without a body, or with an empty one,
 * the query is validated in its place.
 */
export async function bodyOrQuery(request: FastifyRequest): Promise<void> {
  const body = request.body ?? {};
  if (!Array.isArray(body) && typeof body === 'object' && Object.keys(body).length === 0)
    request.body = { ...(request.query as Record<string, unknown>) };
}

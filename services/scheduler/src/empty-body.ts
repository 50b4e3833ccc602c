import type { FastifyRequest } from 'fastify';

/** Takes a missing body as `{}`: a command without a body means all defaults. For a `preValidation` hook. */
export async function takeNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

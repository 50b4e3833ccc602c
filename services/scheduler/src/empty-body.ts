import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** For commands that take nothing. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** Commands may be sent without a body; then they mean all defaults. For a `preValidation` hook. */
export async function takeNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

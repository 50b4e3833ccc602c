import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** Body of commands without parameters. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** A missing body means defaults. For a `preValidation` hook. */
export async function takeNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

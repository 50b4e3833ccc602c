import type { FastifyInstance } from 'fastify';
import { errorTable } from './error.ts';
import { requireService } from './identity.ts';

/** Where the gateway reads a service's error codes for the API docs. */
export const errorTablePath = '/internal/errors';

export function registerErrorTable(app: FastifyInstance): void {
  app.get(errorTablePath, { onRequest: requireService }, async () => errorTable());
}

import type { FastifyInstance } from 'fastify';
import { errorTable } from './error.ts';
import { requireService } from './identity.ts';

export const errorTablePath = '/internal/errors';

export function registerErrorTable(app: FastifyInstance): void {
  app.get(errorTablePath, { onRequest: requireService }, async () => errorTable());
}

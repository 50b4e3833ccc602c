import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, expect } from 'vitest';

/** Statuses of the server itself: invalid text, a body that is too large or not JSON. */
const serverStatuses = new Set([400, 413, 415]);

/**
 * Runs before each test file of a service: fails if a route responds with a status that its schema doesn't list,
 * because the API docs derive from the schemas.
 */
const unlisted = new Set<string>();

const onServer = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onResponse', async (request, reply) => {
    const { schema, url } = request.routeOptions;
    const listed = schema?.response as Record<string, unknown> | undefined;
    const { statusCode } = reply;
    // 500 is never documented, and the server itself responds 503 under load.
    if (listed === undefined || statusCode === 500 || statusCode === 503) return;
    if (statusCode in listed || serverStatuses.has(statusCode)) return;
    unlisted.add(`${request.method} ${url} responded with ${statusCode}`);
  });
};
subscribe('fastify.initialization', onServer);

afterAll(() => {
  unsubscribe('fastify.initialization', onServer);
  expect([...unlisted], 'statuses that the schemas of their routes do not list').toEqual([]);
});

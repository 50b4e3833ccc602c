import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, expect } from 'vitest';

/** What the server responds before any route: to invalid text, to a body that is too large or not JSON. */
const serverStatuses = new Set([400, 413, 415]);

/**
 * Runs before each test file of a service: whatever status a route of it ever answers must stand in the schema of that
 * route, because the API's description is made of these.
 */
const unlisted = new Set<string>();

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onResponse', async (request, reply) => {
    const { schema, url } = request.routeOptions;
    const listed = schema?.response as Record<string, unknown> | undefined;
    const { statusCode } = reply;
    // A 500 is nobody's promise, and 503 is also what a server says by itself while it is too busy.
    if (listed === undefined || statusCode === 500 || statusCode === 503) return;
    if (statusCode in listed || serverStatuses.has(statusCode)) return;
    unlisted.add(`${request.method} ${url} answered ${statusCode}`);
  });
});

afterAll(() => {
  expect([...unlisted], 'statuses that the schemas of their routes do not list').toEqual([]);
});

import type { Server } from '@daylift/server/create-server';

/** One line for each request: the pattern of its route, never the address, which may hold what is nobody's business. */
export function registerRequestLog(app: Server): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    if (route === '/readyz') return;
    app.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        request_id: request.id,
      },
      'request',
    );
  });
}

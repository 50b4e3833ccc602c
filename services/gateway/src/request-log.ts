import type { Server } from '@daylift/server/create-server';

/** Logs one line per request. Logs the route pattern instead of the URL, which can contain personal data. */
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

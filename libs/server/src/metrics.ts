import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';

const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

let collecting = false;

export function registerMetrics(app: FastifyInstance, name: string): void {
  if (!collecting) {
    collecting = true;
    register.setDefaultLabels({ process: name });
    collectDefaultMetrics();
  }
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, never the address itself: no ids and no numbers in a label.
    const route = request.routeOptions.url ?? 'none';
    requestSeconds
      .labels(request.method, route, String(reply.statusCode))
      .observe(reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (_request, reply) => {
    reply.type(register.contentType);
    return register.metrics();
  });
}

import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';

export interface Reading {
  name: string;
  help: string;
  /** Must cost the same for any amount of data. Null if there is nothing to report. */
  read(): Promise<number | { labels: Record<string, string>; value: number }[] | null>;
  labelNames?: string[];
}

const requestSeconds = new Histogram({
  name: 'http_server_request_duration_seconds',
  help: 'Time from request to response',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Probes are frequent and would hide the latency of real requests. */
const unmeasured = new Set(['/healthz', '/readyz', '/metrics']);
const maxReadMs = 2_000;
let collecting = false;

export function measureRequests(app: FastifyInstance, name: string): void {
  if (!collecting) {
    collecting = true;
    register.setDefaultLabels({ process: name });
    // Each sample wakes the process.
    collectDefaultMetrics({ eventLoopMonitoringPrecision: 1_000 });
  }
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the URL: labels must not contain ids or numbers.
    const route = request.routeOptions.url ?? 'none';
    if (unmeasured.has(route)) return;
    requestSeconds
      .labels(request.method, route, `${Math.floor(reply.statusCode / 100)}xx`)
      .observe(reply.elapsedTime / 1000);
  });
}

export function registerMetrics(app: FastifyInstance): void {
  app.get('/metrics', async (_request, reply) => {
    reply.type(register.contentType);
    return register.metrics();
  });
}

export function registerGauges(readings: Reading[]): void {
  for (const { name, help, read, labelNames = [] } of readings) {
    const readOnce = shareReads(read);
    register.removeSingleMetric(name);
    new Gauge({
      name,
      help,
      labelNames,
      async collect() {
        const value = await readOnce();
        this.reset();
        if (Array.isArray(value)) for (const one of value) this.set(one.labels, one.value);
        else if (value !== null) this.set(value);
        else if (labelNames.length === 0) this.remove();
      },
    });
  }
}

/** Shares one read between concurrent callers. Returns null if it fails or times out. */
function shareReads(read: Reading['read']): Reading['read'] {
  let reading: ReturnType<Reading['read']> | null = null;
  return async () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, maxReadMs, null);
    });
    return Promise.race([reading, tooLate]).finally(() => clearTimeout(timer));
  };
}

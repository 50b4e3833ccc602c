import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Server } from './create-server.ts';
import { type ReadinessChecks, registerHealth, registerReadiness } from './health.ts';
import { registerMetrics } from './metrics.ts';
import { schemaCompilers } from './schema-compilers.ts';

/** Creates the server for probes and metrics of the process that runs `app`. Its port is never public. */
export function createOpsServer(app: Server): Server {
  const ops = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    schemaController: schemaCompilers,
  }) as unknown as Server;
  registerHealth(ops);
  registerReadiness(ops, app.getDecorator<ReadinessChecks>('readiness'), { namesParts: true });
  registerMetrics(ops);
  return ops;
}

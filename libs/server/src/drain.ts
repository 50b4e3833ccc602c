import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

/**
 * How long a connection to a service may idle. Clients are told and leave two seconds earlier; until then they may
 * send a request at any moment.
 */
export const restMs = 5_000;
const beatMs = 20;

/** While the server closes, each response asks its client to leave. */
export function partWithClients(app: Pick<FastifyInstance, 'addHook'>): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}

/**
 * Lets clients leave before the server does. A Kubernetes Service removes a replica for new connections only: existing
 * ones keep sending requests, and closing one may lose a request just sent.
 */
export async function clientsGone(app: Pick<FastifyInstance, 'server'>): Promise<void> {
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  const deadline = performance.now() + restMs;
  while ((await countConnections()) > 0 && performance.now() < deadline) await delay(beatMs);
}

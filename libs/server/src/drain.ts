import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

/**
 * Idle timeout of connections to a service. Clients close them two seconds earlier, and may send a request until then.
 */
export const idleTimeoutMs = 5_000;
const pollMs = 20;

/** While the server closes, sends `connection: close` with each response. */
export function announceShutdown(app: Pick<FastifyInstance, 'addHook'>): void {
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
export async function waitForClients(app: Pick<FastifyInstance, 'server'>): Promise<void> {
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  const deadline = performance.now() + idleTimeoutMs;
  while ((await countConnections()) > 0 && performance.now() < deadline) await delay(pollMs);
}

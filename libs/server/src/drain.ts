import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

/**
 * How long a connection may rest that leads to a service. Its clients are told, and leave it two seconds earlier; until then
 * they may send something on it at any moment.
 */
export const restMs = 5_000;
const beatMs = 20;

/** While the server closes, each answer asks its client to leave, the answers to earlier requests too. */
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
 * Lets the clients leave before the server does. A Service takes a replica out for new connections alone: those that exist
 * go on bringing requests, and one that the server closes by itself may lose a request that has just been sent.
 */
export async function clientsGone(app: Pick<FastifyInstance, 'server'>): Promise<void> {
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  const deadline = performance.now() + restMs;
  while ((await countConnections()) > 0 && performance.now() < deadline) await delay(beatMs);
}

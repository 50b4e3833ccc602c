import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Faults, Provider } from './faults.ts';

/** Adds the faults of both providers to the routes of this scope: latency, outage, and a lost, late or 5xx response. */
export function registerProviderFaults(
  app: FastifyInstance,
  provider: Provider,
  faults: Faults,
): void {
  app.addHook('onRequest', async (_request, reply) => {
    const { current } = faults;
    if (current.latency_ms[provider] > 0) await delay(current.latency_ms[provider]);
    if (current[`${provider}_down`]) {
      await reply
        .code(503)
        .type('text/plain')
        .send('upstream connect error or disconnect/reset before headers');
    }
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { current } = faults;
    if (request.method !== 'POST' || reply.statusCode >= 300) return payload;
    if (faults.hits(current.accept_then_drop[provider])) {
      reply.hijack();
      request.raw.socket.destroy();
      return payload;
    }
    if (current.accept_then_delay_ms[provider] > 0)
      await delay(current.accept_then_delay_ms[provider]);
    if (faults.hits(current.accept_then_error[provider])) {
      reply.code(500).type('text/plain').removeHeader('content-length');
      return 'internal error';
    }
    return payload;
  });
}

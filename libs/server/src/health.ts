import type { FastifyInstance } from 'fastify';

export type ReadinessChecks = Record<string, () => Promise<unknown>>;

/** /healthz: this process runs. /readyz: it can do its work; 503 names what it waits for. */
export function registerHealth(app: FastifyInstance, checks: ReadinessChecks): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await within(2_000, check());
          return null;
        } catch (error) {
          request.log.debug({ err: error, check: name }, 'not ready');
          return name;
        }
      }),
    );
    const missing = results.filter((name) => name !== null);
    if (missing.length === 0) return { status: 'ready' };
    reply.code(503);
    return {
      detail: `Not ready yet: ${missing.join(', ')}.`,
      code: 'NOT_READY',
      request_id: request.id,
    };
  });
}

async function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), timeoutMs);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

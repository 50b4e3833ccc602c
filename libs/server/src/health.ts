import type { FastifyInstance } from 'fastify';

export type ReadinessChecks = Record<string, () => Promise<unknown>>;

export function registerHealth(app: FastifyInstance): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
}

/** GET /readyz: 200 when every check passes, else 503. Names the failed ones only with `namesParts`. */
export function registerReadiness(
  app: FastifyInstance,
  checks: ReadinessChecks,
  { namesParts }: { namesParts: boolean },
): void {
  const findMissing = async (): Promise<string[]> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await within(2_000, check());
          return null;
        } catch (error) {
          app.log.debug({ err: error, check: name }, 'not ready');
          return name;
        }
      }),
    );
    return results.filter((name) => name !== null);
  };
  let checking: Promise<string[]> | null = null;
  app.get('/readyz', async (request, reply) => {
    // Shared, because the gateway's is public, and each check of it calls every service.
    checking ??= findMissing().finally(() => {
      checking = null;
    });
    const missing = await checking;
    if (missing.length === 0) return { status: 'ready' };
    reply.code(503);
    return {
      detail: namesParts ? `Not ready yet: ${missing.join(', ')}.` : 'Not ready yet.',
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

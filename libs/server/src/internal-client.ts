import { setTimeout as delay } from 'node:timers/promises';
import { traceHeaders } from '@daylift/telemetry/tracing';
import { Unavailable } from './error.ts';
import { createIdentitySigner, type IdentityKey, identityHeader } from './identity.ts';

export interface InternalClient {
  /**
   * Returns the JSON body, or null for a 404. Throws `Unavailable` if the service can't respond. A query that is too
   * long for a path goes into the body.
   */
  get<T>(path: string, query?: unknown): Promise<T | null>;
}

/** Sends changes that take effect ahead of their events. */
export interface InternalSender {
  /** Throws `Unavailable` unless the service has applied the body. May send it twice. */
  post(path: string, body: unknown): Promise<void>;
}

/** One of several replicas has left; a retry reaches another. */
const againAfterMs = 50;
const isLostConnection = (error: unknown): boolean => {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(code ?? '');
};

/**
 * Creates a client for calling another service. Changes travel as events; one that must apply immediately is also
 * sent ahead.
 */
export function createInternalClient(options: {
  key: IdentityKey;
  to: string;
  baseUrl: string;
  timeoutMs?: number;
}): InternalClient & InternalSender {
  const sign = createIdentitySigner(options.key, options.to);
  const unavailable = () =>
    new Unavailable(`The ${options.to} service is unavailable right now. Please try again.`);

  async function call(path: string, body?: unknown): Promise<Response> {
    const signal = AbortSignal.timeout(options.timeoutMs ?? 3_000);
    const send = () =>
      fetch(`${options.baseUrl}${path}`, {
        headers: {
          [identityHeader]: sign({ kind: 'service', name: options.key.issuer }),
          ...traceHeaders(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        signal,
      });
    return send()
      .catch(async (error: unknown) => {
        if (!isLostConnection(error)) throw error;
        await delay(againAfterMs);
        return send();
      })
      .catch(() => {
        throw unavailable();
      });
  }

  return {
    async get<T>(path: string, query?: unknown) {
      const response = await call(path, query);
      if (response.status === 404) return null;
      if (!response.ok) throw unavailable();
      return (await response.json().catch(() => {
        throw unavailable();
      })) as T;
    },
    async post(path, body) {
      const response = await call(path, body);
      if (!response.ok) throw unavailable();
    },
  };
}

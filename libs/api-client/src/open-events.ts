import type { EndpointName } from './endpoints.ts';
import { noResponse, type Send } from './request.ts';

/** Opens a stream of server-sent events. The timeout applies only until the response starts. */
export const openEvents = async (
  send: Send,
  endpoint: EndpointName,
  { signal, timeoutMs = 30_000 }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<ReadableStream<Uint8Array>> => {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const accept = 'text/event-stream';
    const { body } = await send(endpoint, { accept, limit: limit.signal, signal });
    if (body === null) throw noResponse('OFFLINE', 'The connection was lost.');
    return body;
  } finally {
    clearTimeout(timer);
  }
};

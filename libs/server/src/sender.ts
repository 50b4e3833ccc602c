import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the client's address and user agent as reported by the gateway. The connection's own address is the
 * gateway's.
 */
export function senderOf(request: FastifyRequest): { ip: string; user_agent: string | null } {
  const seen = request.headers['x-client-ip'];
  return {
    ip: typeof seen === 'string' && isIP(seen) !== 0 ? seen : request.ip,
    user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
  };
}

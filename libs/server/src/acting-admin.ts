import type { FastifyRequest } from 'fastify';
import { adminOf } from './identity.ts';
import { senderOf } from './sender.ts';

/** Who asks for a change, and from where: what the audit log keeps beside the change itself. */
export interface ActingAdmin {
  admin_id: string;
  username: string;
  ip: string;
  request_id: string;
}

/** The admin behind a request whose plugin has `requireAdmin`. */
export function actingAdmin(request: FastifyRequest): ActingAdmin {
  const { admin_id, username } = adminOf(request);
  return { admin_id, username, ip: senderOf(request).ip, request_id: request.id };
}

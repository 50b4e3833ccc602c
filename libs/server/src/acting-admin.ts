import type { FastifyRequest } from 'fastify';
import { adminOf } from './identity.ts';
import { senderOf } from './sender.ts';

export interface ActingAdmin {
  admin_id: string;
  username: string;
  ip: string;
  request_id: string;
}

export function actingAdmin(request: FastifyRequest): ActingAdmin {
  const { admin_id, username } = adminOf(request);
  return { admin_id, username, ip: senderOf(request).ip, request_id: request.id };
}

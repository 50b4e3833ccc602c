import type { AdminRole } from '@daylift/contracts/fields';
import { createSigner, createVerifier } from 'fast-jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Forbidden, Unauthorized } from './error.ts';

/** A subscriber, and the token that they came with, which a sign-out ends. */
export interface UserIdentity {
  user_id: string;
  session_version: number;
  token_id?: string;
}

/** An admin, likewise. */
export interface AdminIdentity {
  admin_id: string;
  username: string;
  role: AdminRole;
  session_version: number;
  token_id?: string;
}

/** On whose behalf a request inside the product is made: the gateway vouches for users and admins, services for themselves. */
export type Identity =
  | ({ kind: 'user' } & UserIdentity)
  | ({ kind: 'admin' } & AdminIdentity)
  | { kind: 'service'; name: string };

export const identityHeader = 'x-daylift-identity';
const lifetimeMs = 60_000;

/** Signs an identity for one receiving service (`aud`), for a minute of the wall clock. */
export function createIdentitySigner(
  secret: string,
  audience: string,
): (identity: Identity) => string {
  const sign = createSigner({
    key: secret,
    algorithm: 'HS256',
    expiresIn: lifetimeMs,
    aud: audience,
  });
  return (identity) => sign({ ...identity });
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

/** Reads who a request is from. A header that is not validly signed for this service is as good as none. */
export function registerIdentity(app: FastifyInstance, secret: string, audience: string): void {
  const verify = createVerifier({
    key: secret,
    algorithms: ['HS256'],
    allowedAud: audience,
    // A claim that is not there is otherwise not checked.
    requiredClaims: ['aud', 'exp'],
  });
  app.decorateRequest('identity', null);
  app.addHook('onRequest', async (request) => {
    const token = request.headers[identityHeader];
    if (typeof token !== 'string') return;
    try {
      request.identity = verify(token) as Identity;
    } catch {
      throw new Unauthorized();
    }
  });
}

/** For an `onRequest` hook of the plugin that holds a subscriber's routes. */
export async function requireUser(request: FastifyRequest): Promise<void> {
  if (request.identity === null) throw new Unauthorized();
  if (request.identity.kind !== 'user') throw new Forbidden();
}

const rank: Record<AdminRole, number> = { viewer: 0, operator: 1, owner: 2 };

/** Whether whoever has this role may do what asks for that one. */
export const roleReaches = (role: AdminRole, asked: AdminRole): boolean =>
  rank[role] >= rank[asked];

/** For an `onRequest` hook of admin routes: at least this role. */
export function requireAdmin(role: AdminRole) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.identity === null) throw new Unauthorized();
    if (request.identity.kind !== 'admin' || !roleReaches(request.identity.role, role))
      throw new Forbidden();
  };
}

/** For routes that only our own services call. */
export async function requireService(request: FastifyRequest): Promise<void> {
  // A process that knows no identities has none here.
  if (!request.identity) throw new Unauthorized();
  if (request.identity.kind !== 'service') throw new Forbidden();
}

/** The subscriber behind a request whose plugin has `requireUser`. */
export function userOf(request: FastifyRequest): UserIdentity {
  if (request.identity?.kind !== 'user') throw new Unauthorized();
  return request.identity;
}

/** The admin behind a request whose plugin has `requireAdmin`. */
export function adminOf(request: FastifyRequest): AdminIdentity {
  if (request.identity?.kind !== 'admin') throw new Unauthorized();
  return request.identity;
}

import { createPublicKey } from 'node:crypto';
import type { AdminRole } from '@daylift/contracts/fields';
import { createDecoder, createSigner, createVerifier } from 'fast-jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Forbidden, Unauthorized } from './error.ts';

export interface UserIdentity {
  user_id: string;
  session_version: number;
  token_id?: string;
}

export interface AdminIdentity {
  admin_id: string;
  username: string;
  role: AdminRole;
  session_version: number;
  token_id?: string;
}

/** The caller of an internal request: the gateway vouches for users and admins, services for themselves. */
export type Identity =
  | ({ kind: 'user' } & UserIdentity)
  | ({ kind: 'admin' } & AdminIdentity)
  | { kind: 'service'; name: string };

/** Services that call others. Each has its own Ed25519 key pair. */
export const identityIssuers = ['gateway', 'accounts', 'billing', 'scheduler'] as const;
export type IdentityIssuer = (typeof identityIssuers)[number];

export interface IdentityKey {
  issuer: IdentityIssuer;
  privateKey: string;
}

export const identityHeader = 'x-daylift-identity';
const lifetimeMs = 60_000;
const clockSkewMs = 5_000;

/** Returns a function that signs identities for one receiving service (`aud`), each valid for a minute of the wall clock. */
export function createIdentitySigner(
  { issuer, privateKey }: IdentityKey,
  audience: string,
): (identity: Identity) => string {
  const sign = createSigner({
    key: privateKey,
    algorithm: 'EdDSA',
    expiresIn: lifetimeMs,
    iss: issuer,
    aud: audience,
  });
  return (identity) => sign({ ...identity });
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

type Claims = Identity & { exp: number };

/** Parses `gateway=<base64>,accounts=<base64>`: DER public keys of the services that may call this one. */
function readPublicKeys(text: string): [issuer: string, pem: string][] {
  return text.split(',').map((entry) => {
    const [issuer = '', base64 = ''] = entry.split(/=(.*)/s);
    const key = createPublicKey({
      key: Buffer.from(base64, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return [issuer, key.export({ type: 'spki', format: 'pem' }).toString()];
  });
}

function createIdentityReader(publicKeys: string, audience: string): (token: string) => Identity {
  const decode = createDecoder();
  const verifiers = new Map(
    readPublicKeys(publicKeys).map(([issuer, key]) => [
      issuer,
      createVerifier({
        key,
        algorithms: ['EdDSA'],
        allowedIss: issuer,
        allowedAud: audience,
        // jose checks only claims that are present, unless they are required.
        requiredClaims: ['iss', 'aud', 'exp'],
      }),
    ]),
  );
  return (token) => {
    const { iss } = decode(token) as { iss: string };
    const claims = verifiers.get(iss)?.(token) as Claims | undefined;
    if (claims === undefined) throw new Unauthorized();
    if (claims.exp * 1000 > Date.now() + lifetimeMs + clockSkewMs) throw new Unauthorized();
    // Only the gateway vouches for people; other services speak for themselves.
    const isOwnName = claims.kind === 'service' && claims.name === iss;
    if (!isOwnName && (iss !== 'gateway' || claims.kind === 'service')) throw new Unauthorized();
    return claims;
  };
}

export function registerIdentity(app: FastifyInstance, publicKeys: string, audience: string): void {
  const read = createIdentityReader(publicKeys, audience);
  app.decorateRequest('identity', null);
  app.addHook('onRequest', async (request) => {
    const token = request.headers[identityHeader];
    if (typeof token !== 'string') return;
    try {
      request.identity = read(token);
    } catch {
      throw new Unauthorized();
    }
  });
}

export async function requireUser(request: FastifyRequest): Promise<void> {
  if (request.identity === null) throw new Unauthorized();
  if (request.identity.kind !== 'user') throw new Forbidden();
}

const rank: Record<AdminRole, number> = { viewer: 0, operator: 1, owner: 2 };

/** Returns whether a role includes the required one. */
export const roleIncludes = (role: AdminRole, required: AdminRole): boolean =>
  rank[role] >= rank[required];

export function requireAdmin(role: AdminRole) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.identity === null) throw new Unauthorized();
    if (request.identity.kind !== 'admin' || !roleIncludes(request.identity.role, role))
      throw new Forbidden();
  };
}

export async function requireService(request: FastifyRequest): Promise<void> {
  // A process without identities has none here.
  if (!request.identity) throw new Unauthorized();
  if (request.identity.kind !== 'service') throw new Forbidden();
}

export function userOf(request: FastifyRequest): UserIdentity {
  if (request.identity?.kind !== 'user') throw new Unauthorized();
  return request.identity;
}

export function adminOf(request: FastifyRequest): AdminIdentity {
  if (request.identity?.kind !== 'admin') throw new Unauthorized();
  return request.identity;
}

import type { SessionQuery } from '@daylift/contracts/accounts.http';
import type { Server } from '@daylift/server/create-server';
import { Forbidden, Unauthorized } from '@daylift/server/error';
import { type Identity, roleIncludes } from '@daylift/server/identity';
import fastifyJwt from '@fastify/jwt';
import type { FastifyRequest } from 'fastify';
import { PasswordChangeRequired, TotpSetupRequired } from './errors.ts';
import type { ApiRoute } from './routes-table.ts';
import type { ReadSession } from './sessions.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type Authenticate = (
  request: FastifyRequest,
  route: Pick<ApiRoute, 'access' | 'endpoint'>,
) => Promise<Identity | null>;

export async function registerAuthenticate(
  app: Server,
  publicKeyPem: string,
  readSession: ReadSession,
): Promise<Authenticate> {
  const readToken = await registerReadToken(app, publicKeyPem);
  const authenticate: Authenticate = async (request, route) => {
    const { access } = route;
    if (access === 'public' || access === 'webhook') return null;
    if (access === 'visitor')
      return authenticate(request, { ...route, access: 'user' }).catch(ignoreInvalidToken);
    const token = readToken(request.headers.authorization);
    if (token.kind !== (access === 'user' ? 'user' : 'admin')) throw new Forbidden();
    const session = await readSession(token);
    if (!session.valid) throw new Unauthorized();
    if (session.must_change_password && !route.endpoint.beforeOwnPassword)
      throw new PasswordChangeRequired();
    if (access === 'user')
      return {
        kind: 'user',
        user_id: token.subject,
        session_version: token.version,
        token_id: token.token_id,
      };
    const { role, username } = session;
    const required = access === 'self' ? 'viewer' : access;
    if (role === null || username === null || !roleIncludes(role, required)) throw new Forbidden();
    if (session.totp_missing && access !== 'self') throw new TotpSetupRequired();
    return {
      kind: 'admin',
      admin_id: token.subject,
      username,
      role,
      session_version: token.version,
      token_id: token.token_id,
    };
  };
  return authenticate;
}

/** Treats visitors with an invalid token as anonymous. */
function ignoreInvalidToken(error: unknown): null {
  if (error instanceof Unauthorized || error instanceof Forbidden) return null;
  throw error;
}

/** Checks a token's signature, audience and age. Accounts knows whether it was revoked. */
async function registerReadToken(app: Server, publicKeyPem: string) {
  await app.register(fastifyJwt, {
    secret: { public: publicKeyPem.replaceAll('\\n', '\n') },
    verify: {
      algorithms: ['EdDSA'],
      requiredClaims: ['sub', 'aud', 'ver', 'jti', 'iat', 'exp'],
    },
  });
  return (header: string | undefined): SessionQuery => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) throw new Unauthorized();
    let claims: { sub?: unknown; aud?: unknown; ver?: unknown; jti?: unknown };
    try {
      claims = app.jwt.verify(token);
    } catch {
      throw new Unauthorized();
    }
    const { sub, aud, ver, jti } = claims;
    if (typeof sub !== 'string' || !uuid.test(sub)) throw new Unauthorized();
    if (!Number.isInteger(ver) || (ver as number) < 0) throw new Unauthorized();
    if (typeof jti !== 'string' || !uuid.test(jti)) throw new Unauthorized();
    if (aud !== 'user' && aud !== 'admin') throw new Unauthorized();
    return { kind: aud, subject: sub, version: ver as number, token_id: jti };
  };
}

import { createPublicKey, randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@daylift/clock/durations';
import type { Server } from '@daylift/server/create-server';
import fastifyJwt from '@fastify/jwt';

export const userTokenMs = 7 * dayMs;
export const adminTokenMs = 12 * hourMs;

/**
 * Tokens for browsers: `sub` is the account, `aud` user or admin, `ver` the session version that a password change, a
 * pause or a deletion raises, and `jti` the token, which a sign-out ends. They use the wall clock, like all signatures.
 */
export interface Tokens {
  forUser(id: string, version: number): string;
  forAdmin(id: string, version: number): string;
}

export async function registerTokens(app: Server, privateKeyPem: string): Promise<Tokens> {
  // A PEM in an environment file is often on one line.
  const key = privateKeyPem.replaceAll('\\n', '\n');
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  await app.register(fastifyJwt, {
    secret: { private: key, public: publicKey },
    sign: { algorithm: 'EdDSA' },
  });
  const sign = (aud: string, sub: string, ver: number, lifetimeMs: number) =>
    app.jwt.sign({ sub, ver, jti: randomUUID() }, { aud, expiresIn: lifetimeMs / 1000 });
  return {
    forUser: (id, version) => sign('user', id, version, userTokenMs),
    forAdmin: (id, version) => sign('admin', id, version, adminTokenMs),
  };
}

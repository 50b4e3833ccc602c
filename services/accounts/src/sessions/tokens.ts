import { randomUUID } from 'node:crypto';
import { createSigner } from 'fast-jwt';

const dayMs = 24 * 60 * 60 * 1000;
export const userTokenMs = 7 * dayMs;
export const adminTokenMs = dayMs / 2;

/**
 * Tokens for browsers: `sub` the account, `aud` user or admin, `ver` the version that a password change, a pause or a
 * deletion ends, `jti` the token, which a sign-out ends. On the wall clock, like everything signed.
 */
export interface Tokens {
  forUser(id: string, version: number): string;
  forAdmin(id: string, version: number): string;
}

export function createTokens(privateKeyPem: string): Tokens {
  // A PEM in an environment file is often on one line.
  const key = privateKeyPem.replaceAll('\\n', '\n');
  const signer = (audience: string, lifetimeMs: number) => {
    const sign = createSigner({ key, algorithm: 'EdDSA', expiresIn: lifetimeMs, aud: audience });
    return (id: string, version: number) => sign({ sub: id, ver: version, jti: randomUUID() });
  };
  return { forUser: signer('user', userTokenMs), forAdmin: signer('admin', adminTokenMs) };
}

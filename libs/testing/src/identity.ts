import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  createIdentitySigner,
  type Identity,
  type IdentityIssuer,
  type IdentityKey,
  identityIssuers,
} from '@daylift/server/identity';

const pairs = Object.fromEntries(
  identityIssuers.map((issuer) => [issuer, generateKeyPairSync('ed25519')]),
) as Record<IdentityIssuer, { publicKey: KeyObject; privateKey: KeyObject }>;

/** Returns a key for a service, generated per test run. */
export const testIdentityKey = (issuer: IdentityIssuer): IdentityKey => ({
  issuer,
  privateKey: pairs[issuer].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});

/** `IDENTITY_PUBLIC_KEYS` with all services. */
export const testPublicKeys = identityIssuers
  .map((issuer) => {
    const der = pairs[issuer].publicKey.export({ type: 'spki', format: 'der' });
    return `${issuer}=${der.toString('base64')}`;
  })
  .join(',');

/** Returns a function that signs like the product: services for themselves, the gateway for people. */
export const signTestIdentity =
  (audience: string) =>
  (identity: Identity): string => {
    const issuer = identity.kind === 'service' ? (identity.name as IdentityIssuer) : 'gateway';
    return createIdentitySigner(testIdentityKey(issuer), audience)(identity);
  };

import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type EventOwner, eventOwners } from '@daylift/events/access';
import { type IdentityIssuer, identityIssuers } from '@daylift/server/identity';
import { LauncherError } from './failure.ts';

/** Postgres schemas, one per service with data. Each has its own role `daylift_<schema>`. */
export const schemas = ['accounts', 'billing', 'content', 'scheduler', 'sms_gateway'] as const;
export type Schema = (typeof schemas)[number];

/** Generated once per data directory. The code has no default secrets. */
export interface Secrets {
  postgres_password: string;
  role_passwords: Record<Schema, string>;
  identity_keys: Record<IdentityIssuer, { private: string; public: string }>;
  nats_passwords: Record<EventOwner, string>;
  redis_password: string;
  identity_hash_key: string;
  number_hash_key: string;
  one_time_code_key: string;
  admin_secret_key: string;
  jwt_private_key: string;
  jwt_public_key: string;
  stripe_api_key: string;
  stripe_webhook_secret: string;
  telnyx_api_key: string;
  telnyx_private_key: string;
  telnyx_public_key: string;
  admin_username: string;
  admin_password: string;
}

const token = (bytes = 24): string => randomBytes(bytes).toString('base64url');
const hex = (bytes = 24): string => randomBytes(bytes).toString('hex');

function ed25519Pair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const publicDer = publicKey.export({ type: 'spki', format: 'der' });
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicDer,
    // Telnyx provides the raw 32 bytes, which are the end of the DER form.
    publicRaw: publicDer.subarray(-32).toString('base64'),
  };
}

function identityPair(): { private: string; public: string } {
  const { privatePem, publicDer } = ed25519Pair();
  return { private: privatePem, public: publicDer.toString('base64') };
}

function generateSecrets(admin: { username?: string; password?: string }): Secrets {
  const jwt = ed25519Pair();
  const telnyx = ed25519Pair();
  return {
    postgres_password: hex(),
    role_passwords: Object.fromEntries(schemas.map((schema) => [schema, hex()])) as Record<
      Schema,
      string
    >,
    identity_keys: Object.fromEntries(
      identityIssuers.map((issuer) => [issuer, identityPair()]),
    ) as Secrets['identity_keys'],
    nats_passwords: Object.fromEntries(eventOwners.map((owner) => [owner, hex()])) as Record<
      EventOwner,
      string
    >,
    redis_password: hex(),
    identity_hash_key: token(36),
    number_hash_key: token(36),
    one_time_code_key: token(36),
    admin_secret_key: token(36),
    jwt_private_key: jwt.privatePem,
    jwt_public_key: jwt.publicPem,
    stripe_api_key: `sk_test_${hex()}`,
    stripe_webhook_secret: `whsec_${hex()}`,
    telnyx_api_key: `KEYSANDBOX${hex()}`,
    telnyx_private_key: telnyx.privatePem,
    telnyx_public_key: telnyx.publicRaw,
    admin_username: admin.username ?? 'owner',
    admin_password: admin.password ?? `day-${randomInt(1000, 10_000)}-${token(9)}`,
  };
}

function readSecrets(path: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new LauncherError(
        `${path} is damaged. Restore it from a backup, or start over: npm start -- --fresh (deletes the data)`,
      );
    }
    throw error;
  }
}

/** Reads the secrets of a data directory and generates missing ones. */
export function loadSecrets(
  path: string,
  admin: { username?: string; password?: string },
): Secrets {
  const stored = existsSync(path) ? readSecrets(path) : {};
  const secrets = { ...generateSecrets(admin), ...stored };
  if (Object.keys(stored).length === Object.keys(secrets).length) return secrets;
  writeFileSync(`${path}.draft`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.draft`, path);
  return secrets;
}

/**
 * Returns IDENTITY_PRIVATE_KEY for services that call others, and IDENTITY_PUBLIC_KEYS for services that are called.
 */
export function identitySettings(secrets: Secrets, service: string): Record<string, string> {
  const own = identityIssuers.find((issuer) => issuer === service);
  const others = identityIssuers.filter((issuer) => issuer !== service);
  return {
    ...(own && { IDENTITY_PRIVATE_KEY: secrets.identity_keys[own].private }),
    ...(service !== 'gateway' && {
      IDENTITY_PUBLIC_KEYS: others
        .map((issuer) => `${issuer}=${secrets.identity_keys[issuer].public}`)
        .join(','),
    }),
  };
}

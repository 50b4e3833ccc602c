import { databaseName, roleOf, schemaOfService } from '../local/databases.ts';
import { natsAccounts, natsUrlOf } from '../local/nats-logins.ts';
import { identitySettings, type Secrets, schemas } from '../local/secrets.ts';

/** Server addresses, without the passwords of our roles. */
export interface Addresses {
  postgres: string;
  redis: string;
  nats: string;
  smtp: string;
}

export const providerKeys = [
  'STRIPE_API_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'TELNYX_API_KEY',
  'TELNYX_PUBLIC_KEY',
] as const;
export type ProviderKeys = Record<(typeof providerKeys)[number], string>;

export const sandboxKeys = (secrets: Secrets): ProviderKeys => ({
  STRIPE_API_KEY: secrets.stripe_api_key,
  STRIPE_WEBHOOK_SECRET: secrets.stripe_webhook_secret,
  TELNYX_API_KEY: secrets.telnyx_api_key,
  TELNYX_PUBLIC_KEY: secrets.telnyx_public_key,
});

type Files = Record<string, string>;

/**
 * Returns the files of each Secret, one per key. `postgres` is for prepare.sql, `nats` for the NATS server; `sandbox`
 * contains no live key.
 */
export function secretFiles(
  secrets: Secrets,
  addresses: Addresses,
  provider: ProviderKeys,
): Record<string, Files> {
  const databaseUrl = (service: string): string => {
    const schema = schemaOfService[service];
    if (schema === undefined) throw new Error(`${service} has no schema.`);
    const password = secrets.role_passwords[schema];
    const [host, options] = addresses.postgres.split('?');
    const url = `postgres://${roleOf(schema)}:${password}@${host}/${databaseName}`;
    return options === undefined ? url : `${url}?${options}`;
  };
  const ofService = (service: string): Files => ({
    DATABASE_URL: databaseUrl(service),
    NATS_URL: natsUrlOf(addresses.nats, secrets.nats_passwords, service),
    ...identitySettings(secrets, service),
  });
  const sandbox = sandboxKeys(secrets);
  return {
    nats: { 'authorization.conf': natsAccounts(secrets.nats_passwords) },
    postgres: { admin: secrets.postgres_password, ...rolePasswords(secrets) },
    gateway: {
      ...identitySettings(secrets, 'gateway'),
      JWT_PUBLIC_KEY: secrets.jwt_public_key,
      REDIS_URL: addresses.redis,
    },
    accounts: {
      ...ofService('accounts'),
      SMTP_URL: addresses.smtp,
      JWT_PRIVATE_KEY: secrets.jwt_private_key,
      IDENTITY_HASH_KEY: secrets.identity_hash_key,
      ONE_TIME_CODE_KEY: secrets.one_time_code_key,
      ADMIN_SECRET_KEY: secrets.admin_secret_key,
      ADMIN_USERNAME: secrets.admin_username,
      ADMIN_PASSWORD: secrets.admin_password,
    },
    billing: {
      ...ofService('billing'),
      SMTP_URL: addresses.smtp,
      STRIPE_API_KEY: provider.STRIPE_API_KEY,
      STRIPE_WEBHOOK_SECRET: provider.STRIPE_WEBHOOK_SECRET,
    },
    content: ofService('content'),
    scheduler: ofService('scheduler'),
    'sms-gateway': {
      ...ofService('sms-gateway'),
      REDIS_URL: addresses.redis,
      SMTP_URL: addresses.smtp,
      TELNYX_API_KEY: provider.TELNYX_API_KEY,
      TELNYX_PUBLIC_KEY: provider.TELNYX_PUBLIC_KEY,
      NUMBER_HASH_KEY: secrets.number_hash_key,
      ONE_TIME_CODE_KEY: secrets.one_time_code_key,
    },
    sandbox: {
      STRIPE_API_KEY: sandbox.STRIPE_API_KEY,
      STRIPE_WEBHOOK_SECRET: sandbox.STRIPE_WEBHOOK_SECRET,
      TELNYX_API_KEY: sandbox.TELNYX_API_KEY,
      TELNYX_PRIVATE_KEY: secrets.telnyx_private_key,
    },
  };
}

const rolePasswords = (secrets: Secrets): Files =>
  Object.fromEntries(schemas.map((schema) => [schema, secrets.role_passwords[schema]]));

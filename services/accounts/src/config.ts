import {
  calledConfig,
  callerConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  operatorConfig,
  phoneConfig,
  processConfig,
} from '@daylift/server/load-config';
import { Type } from 'typebox';
import { defaultMemory } from './sessions/password-hashing.ts';

const Url = Type.String({ pattern: '^https?://[^ ]+$' });

export function loadAccountsConfig(environment?: NodeJS.ProcessEnv) {
  const config = loadConfig(
    {
      ...processConfig,
      ...databaseConfig,
      ...eventsConfig,
      ...calledConfig,
      ...callerConfig,
      ...operatorConfig,
      ...phoneConfig,
      /** PEM of the Ed25519 key that signs tokens; the gateway has the public key. */
      JWT_PRIVATE_KEY: Type.String({ pattern: 'PRIVATE KEY' }),
      /** Key of the hashes of numbers and addresses. A new one invalidates every earlier hash. */
      IDENTITY_HASH_KEY: Type.String({ minLength: 32 }),
      /** Key of the one-time codes; sms-gateway has the same one. */
      ONE_TIME_CODE_KEY: Type.String({ minLength: 32 }),
      /** Memory of a password's hash in KiB. Tests use less. */
      PASSWORD_HASH_MEMORY: Type.Integer({ minimum: 8, default: defaultMemory }),
      /** Key of TOTP secrets, invitations and emailed links. A new one invalidates all of them. */
      ADMIN_SECRET_KEY: Type.String({ minLength: 32 }),
      ADMIN_TOTP_REQUIRED: Type.Union([Type.Literal('on'), Type.Literal('off')], {
        default: 'off',
      }),
      PRODUCT_NAME: Type.String({ minLength: 1, maxLength: 100 }),
      SUPPORT_EMAIL: Type.String({ pattern: '@' }),
      BILLING_URL: Url,
      SCHEDULER_URL: Url,
      SMS_GATEWAY_URL: Url,
      PUBLIC_URL: Url,
      /** Origin of the admin app, if it has its own host. */
      ADMIN_URL: Type.Optional(Url),
      SMTP_URL: Type.String({ pattern: '^smtps?://' }),
      MAIL_FROM: Type.String({ pattern: '@' }),
      /** The first owner, created at startup if there is no admin. */
      ADMIN_USERNAME: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 6, maxLength: 128 })),
    },
    environment,
  );
  if (config.PASSWORD_HASH_MEMORY < defaultMemory && config.SANDBOX_URL === undefined)
    throw new Error(
      `PASSWORD_HASH_MEMORY below ${defaultMemory} is only for the sandbox: set SANDBOX_URL, or raise it.`,
    );
  return config;
}
export type AccountsConfig = ReturnType<typeof loadAccountsConfig>;

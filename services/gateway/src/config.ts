import { callerConfig, loadConfig, processConfig } from '@daylift/server/load-config';
import { Type } from 'typebox';

const url = Type.String({ pattern: '^https?://' });

export type GatewayConfig = ReturnType<typeof loadGatewayConfig>;

export function loadGatewayConfig(environment?: NodeJS.ProcessEnv) {
  const config = loadConfig(
    {
      ...processConfig,
      ...callerConfig,
      ACCOUNTS_URL: url,
      BILLING_URL: url,
      CONTENT_URL: url,
      SCHEDULER_URL: url,
      SMS_GATEWAY_URL: url,
      SMS_WORKER_URL: Type.Optional(url),
      /** PEM of the public key for tokens signed by accounts. */
      JWT_PUBLIC_KEY: Type.String({ pattern: 'PUBLIC KEY' }),
      REDIS_URL: Type.String({ pattern: '^rediss?://' }),
      RATE_LIMITS: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'on' }),
      /** Comma-separated addresses of trusted proxies; only their `x-forwarded-for` counts. */
      TRUSTED_PROXIES: Type.Optional(Type.String()),
      /** Build output of the two apps. */
      WEB_DIST: Type.String({ minLength: 1 }),
      ADMIN_WEB_DIST: Type.String({ minLength: 1 }),
      PUBLIC_URL: url,
      /** Set if the admin pages have their own host; neither host then serves the other's pages. */
      ADMIN_URL: Type.Optional(url),
      /** Comma-separated hosts to serve besides those of PUBLIC_URL and ADMIN_URL. */
      ALLOWED_HOSTS: Type.Optional(
        Type.String({ pattern: '^[A-Za-z0-9.-]+(, *[A-Za-z0-9.-]+)*$' }),
      ),
      PRODUCT_NAME: Type.String({ minLength: 1, default: 'Daylift' }),
    },
    environment,
  );
  if (config.RATE_LIMITS === 'off' && config.SANDBOX_URL === undefined)
    throw new Error('RATE_LIMITS=off is only for the sandbox: set SANDBOX_URL, or remove it.');
  return config;
}

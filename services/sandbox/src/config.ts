import { loadConfig, processConfig } from '@daylift/server/load-config';
import { type Static, Type } from 'typebox';

const { SANDBOX_URL: _, OPS_PORT: __, ...server } = processConfig;
const Url = Type.String({ pattern: '^https?://[^ ]+$' });

const properties = {
  ...server,
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8090 }),
  SMTP_PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  DATA_DIR: Type.String({ minLength: 1 }),
  /** Where the simulated clock starts on an empty store; default the present. */
  CLOCK_START: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}' })),
  /** Address of the payment pages for browsers, if different from what services call. */
  SANDBOX_PUBLIC_URL: Type.Optional(Url),
  /** The product's own public origin. */
  PUBLIC_URL: Url,
  STRIPE_API_KEY: Type.String({ pattern: '^sk_test_' }),
  STRIPE_WEBHOOK_SECRET: Type.String({ pattern: '^whsec_' }),
  STRIPE_WEBHOOK_URL: Url,
  TELNYX_API_KEY: Type.String({ pattern: '^KEYSANDBOX' }),
  TELNYX_PRIVATE_KEY: Type.String({ pattern: '^-----BEGIN PRIVATE KEY-----' }),
  /** The messaging profile's webhook: inbound texts, and receipts of texts without their own address. */
  TELNYX_WEBHOOK_URL: Url,
  SMS_FROM: Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$' }),
};
export type SandboxConfig = Readonly<Static<Type.TObject<typeof properties>>>;

const liveKey = /\b(?:[srp]k_live_|KEY(?!SANDBOX)[0-9A-F]{10,})/;

/** Reads the environment and refuses any live key of the providers. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): SandboxConfig {
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && liveKey.test(value)) {
      throw new Error(
        `${name} looks like a live key. The sandbox never runs beside one: remove it from the environment.`,
      );
    }
  }
  const config = loadConfig(properties, environment);
  if (config.CLOCK_START !== undefined && Number.isNaN(Date.parse(config.CLOCK_START))) {
    throw new Error('CLOCK_START must be an ISO instant, such as 2027-03-01T00:00:00Z.');
  }
  return config;
}

import {
  calledConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  operatorConfig,
  phoneConfig,
  processConfig,
  retentionConfig,
} from '@daylift/server/load-config';
import { type Static, Type } from 'typebox';
import { highCostPrefixes } from './spend/prefix-caps.ts';

const properties = {
  ...processConfig,
  ...databaseConfig,
  ...eventsConfig,
  ...retentionConfig,
  ...calledConfig,
  ...phoneConfig,
  ...operatorConfig,
  REDIS_URL: Type.String({ pattern: '^rediss?://' }),
  /** Our public origin; receipts are posted to its /api/webhooks/telnyx/<text>. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^ ]+$' }),
  /** Origin of the admin app, if it has its own host. */
  ADMIN_URL: Type.Optional(Type.String({ pattern: '^https?://[^ ]+$' })),
  PRODUCT_NAME: Type.String({ minLength: 1, maxLength: 40 }),
  SUPPORT_EMAIL: Type.String({ format: 'email' }),
  SMTP_URL: Type.String({ pattern: '^smtps?://' }),
  MAIL_FROM: Type.String({ pattern: '@' }),
  /** Texts per release, as configured in the scheduler; shown to operators. */
  SMS_BATCH_SIZE: Type.Integer({ minimum: 1, maximum: 50, default: 50 }),
  TELNYX_API_KEY: Type.String({ pattern: '^KEY' }),
  /** Base64 of the raw 32 bytes. */
  TELNYX_PUBLIC_KEY: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
  TELNYX_BASE_URL: Type.Optional(Type.String({ pattern: '^https://[^ ]+/v2$' })),
  /** Other profiles of the account have their own block lists. We must not apply those. */
  TELNYX_MESSAGING_PROFILE_ID: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}$' })),
  /** `on` if the provider sends a text with a repeated Idempotency-Key only once. Telnyx doesn't promise that. */
  TELNYX_IDEMPOTENCY: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'off' }),
  SMS_FROM: Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$' }),
  SMS_RATE_PER_SECOND: Type.Integer({ minimum: 1, maximum: 10_000, default: 50 }),
  /** Dollars per part until the first receipt reports a price. */
  SMS_PRICE_PER_PART: Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', default: '0.0040' }),
  /** Dollars per carrier lookup of a number. No response has it; see telnyx.com/pricing/number-lookup. */
  TELNYX_LOOKUP_PRICE: Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', default: '0.003' }),
  /** Caps on texts to numbers without an active, confirmed subscriber: consent requests and codes. */
  SMS_UNPAID_PER_NUMBER_DAY: Type.Integer({ minimum: 1, default: 5 }),
  /** A prefix is a number without its last four digits. */
  SMS_UNPAID_PER_PREFIX_HOUR: Type.Integer({ minimum: 1, default: 100 }),
  SMS_UNPAID_PER_COUNTRY_HOUR: Type.Integer({ minimum: 1, default: 1_000 }),
  /** Lowers the cap of a country by what our texts there cost. */
  SMS_UNPAID_DOLLARS_PER_COUNTRY_HOUR: Type.Integer({ minimum: 1, default: 20 }),
  SMS_UNPAID_PER_HOUR: Type.Integer({ minimum: 1, default: 2_000 }),
  /** Texts per hour to ranges that cost more, such as `+4474=0,+81=50`; 0 refuses them. */
  SMS_UNPAID_PREFIX_CAPS: Type.String({
    pattern: '^(\\+[1-9][0-9]{0,14}=[0-9]{1,6}(,\\+[1-9][0-9]{0,14}=[0-9]{1,6})*)?$',
    default: highCostPrefixes,
  }),
  /**
   * Dollars: the daily spend limit of the messaging profile at the provider, if it has one. Codes and consent requests
   * to numbers without an active, confirmed subscriber, and replies, leave enough of it for queued and daily texts due
   * until midnight UTC, when the limit resets.
   */
  TELNYX_DAILY_SPEND_LIMIT: Type.Optional(Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$' })),
  /** Batches of more texts than this start with a few; 0 turns that off. */
  SMS_CANARY_ABOVE: Type.Integer({ minimum: 0, default: 500 }),
  /** How long a worker may hold a text before another one may take it. */
  SEND_LEASE_MS: Type.Integer({ minimum: 200, default: 30_000 }),
  PROVIDER_TIMEOUT_MS: Type.Integer({ minimum: 50, default: 10_000 }),
  SEND_CONCURRENCY: Type.Integer({ minimum: 1, maximum: 500, default: 60 }),
  /** Shared with accounts; derives the one-time codes. */
  ONE_TIME_CODE_KEY: Type.String({ minLength: 32 }),
  /** Key of the hash under which opt-outs are stored. Changing it loses them. */
  NUMBER_HASH_KEY: Type.String({ minLength: 32 }),
};
export type SmsConfig = Readonly<Static<Type.TObject<typeof properties>>>;

/** Time left to record a response that arrives just before the lease ends. */
const leaseMarginMs = 100;

export function loadSmsConfig(environment?: NodeJS.ProcessEnv): SmsConfig {
  const config = loadConfig(properties, environment);
  if (config.SEND_LEASE_MS < config.PROVIDER_TIMEOUT_MS + leaseMarginMs) {
    throw new Error('SEND_LEASE_MS must be longer than PROVIDER_TIMEOUT_MS.');
  }
  const sandboxKey = config.TELNYX_API_KEY.startsWith('KEYSANDBOX');
  if (sandboxKey !== (config.SANDBOX_URL !== undefined)) {
    throw new Error('TELNYX_API_KEY and SANDBOX_URL must both be sandbox or both live.');
  }
  return config;
}

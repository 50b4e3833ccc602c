import type { ServiceContext } from '@daylift/events/run-service';
import { Gauge } from '@daylift/server/metrics';
import type { SmsConfig } from './config.ts';
import type { SmsDatabase } from './database.ts';
import type { SmsDeps } from './deps.ts';
import { createNumberHash } from './opt-outs/number-hash.ts';
import type { SmsProvider, TelnyxOptions } from './provider/provider.ts';
import { createVerifyWebhook } from './provider/verify-webhook.ts';
import { createRateLimiter } from './rate/rate-limiter.ts';
import { createSenderCounts } from './senders/sender-counts.ts';
import { firstSenderOf } from './senders/sender-limits.ts';
import { createSenderLines } from './senders/sender-lines.ts';
import { readPrefixCaps } from './spend/prefix-caps.ts';
import { createSpendLimit } from './spend/spend-limit.ts';
import { createOutcomeWriter } from './texts/outcome-writer.ts';

const limitPerSecond = new Gauge({
  name: 'sms_rate_limit_per_second',
  help: 'Maximum texts per second, across all processes',
});

type Context = Pick<ServiceContext<SmsDatabase>, 'db' | 'clock' | 'log' | 'onStop'>;

/** Opens Redis and the provider client, which the API and the worker both need. */
export function createDeps(
  config: SmsConfig,
  { db, clock, log, onStop }: Context,
  openProvider: (options: TelnyxOptions) => SmsProvider,
): SmsDeps {
  const limiter = createRateLimiter({
    redisUrl: config.REDIS_URL,
    name: 'sms',
    maxOpen: config.SEND_CONCURRENCY,
    onError: (error) => log.warn({ err: error }, 'redis unavailable'),
  });
  onStop(() => limiter.close());
  limitPerSecond.set(config.SMS_RATE_PER_SECOND);
  const senderCounts = createSenderCounts({ db, clock, log });
  onStop(() => senderCounts.flush());
  const numberHash = createNumberHash(config.NUMBER_HASH_KEY);
  return {
    db,
    clock,
    log,
    limiter,
    seed: firstSenderOf(
      config.SMS_FROM,
      config.SANDBOX_URL !== undefined,
      config.SMS_RATE_PER_SECOND,
    ),
    senderCounts,
    senderLines: createSenderLines(),
    // The key of earlier versions, with which workers of both share the limit during an upgrade.
    accountLimits: [{ key: 'window', count: config.SMS_RATE_PER_SECOND, perMs: 1_000 }],
    outcomes: createOutcomeWriter({ db, numberHash }),
    provider: openProvider({
      apiKey: config.TELNYX_API_KEY,
      baseUrl: baseUrlOf(config),
      receiptsUrl: `${config.PUBLIC_URL.replace(/\/$/, '')}/api/webhooks/telnyx`,
      timeoutMs: config.PROVIDER_TIMEOUT_MS,
      messagingProfileId: config.TELNYX_MESSAGING_PROFILE_ID,
    }),
    verifyWebhook: createVerifyWebhook(config.TELNYX_PUBLIC_KEY),
    leaseMs: config.SEND_LEASE_MS,
    numberHash,
    oneTimeCodeKey: config.ONE_TIME_CODE_KEY,
    words: {
      productName: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
      publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
    },
    // Loaded on demand: the numbering plans are large, and operators rarely type a number.
    readPhone: async (input) => {
      const { createReadPhone } = await import('@daylift/server/phone-number');
      return createReadPhone(config.ALLOWED_COUNTRIES.split(','))(input);
    },
    servedCountry: async (number) => {
      const { createReadPhone, countryOf } = await import('@daylift/server/phone-number');
      try {
        return countryOf(createReadPhone(config.ALLOWED_COUNTRIES.split(','))(number));
      } catch {
        return null;
      }
    },
    isIdempotent: config.TELNYX_IDEMPOTENCY === 'on',
    spendCaps: {
      perNumberDay: config.SMS_UNPAID_PER_NUMBER_DAY,
      perPrefixHour: config.SMS_UNPAID_PER_PREFIX_HOUR,
      perCountryHour: config.SMS_UNPAID_PER_COUNTRY_HOUR,
      dollarsPerCountryHour: config.SMS_UNPAID_DOLLARS_PER_COUNTRY_HOUR,
      perHour: config.SMS_UNPAID_PER_HOUR,
      highCost: readPrefixCaps(config.SMS_UNPAID_PREFIX_CAPS),
    },
    spendLimit: createSpendLimit({
      clock,
      dollars: config.TELNYX_DAILY_SPEND_LIMIT,
      pricePerPart: config.SMS_PRICE_PER_PART,
    }),
    adminUrl: `${(config.ADMIN_URL ?? config.PUBLIC_URL).replace(/\/$/, '')}/admin/dashboard`,
    operatorTimezone: config.OPERATOR_TIMEZONE,
    settings: config,
  };
}

function baseUrlOf({ SANDBOX_URL, TELNYX_BASE_URL }: SmsConfig): string {
  if (SANDBOX_URL !== undefined) return `${SANDBOX_URL}/v2`;
  return TELNYX_BASE_URL ?? 'https://api.telnyx.com/v2';
}

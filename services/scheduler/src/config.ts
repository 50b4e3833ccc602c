import {
  calledConfig,
  callerConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  processConfig,
  retentionConfig,
} from '@daylift/server/load-config';
import { Type } from 'typebox';

export const loadSchedulerConfig = () => {
  const config = loadConfig({
    ...processConfig,
    ...databaseConfig,
    ...eventsConfig,
    ...retentionConfig,
    ...calledConfig,
    ...callerConfig,
    ACCOUNTS_URL: Type.String({ pattern: '^https?://' }),
    SMS_GATEWAY_URL: Type.String({ pattern: '^https?://' }),
    /** Spreads an hour's texts over this many seconds; each subscriber always has the same place. */
    SEND_SPREAD_SECONDS: Type.Integer({ minimum: 0, maximum: 3_599, default: 0 }),
    /** Texts per hand-over to sms-gateway, whose contract allows 50. */
    SMS_BATCH_SIZE: Type.Integer({ minimum: 1, maximum: 50, default: 50 }),
    /** The zone that defines "today's message". */
    OPERATOR_TIMEZONE: Type.String({ default: 'America/New_York' }),
  });
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(config.OPERATOR_TIMEZONE);
  } catch {
    throw new Error('The configuration is not usable. OPERATOR_TIMEZONE: not an IANA time zone');
  }
  return config;
};
export type SchedulerConfig = ReturnType<typeof loadSchedulerConfig>;

import {
  calledConfig,
  callerConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  operatorConfig,
  processConfig,
  retentionConfig,
} from '@daylift/server/load-config';
import { Type } from 'typebox';

export const loadSchedulerConfig = () =>
  loadConfig({
    ...processConfig,
    ...databaseConfig,
    ...eventsConfig,
    ...retentionConfig,
    ...calledConfig,
    ...callerConfig,
    ...operatorConfig,
    ACCOUNTS_URL: Type.String({ pattern: '^https?://' }),
    SMS_GATEWAY_URL: Type.String({ pattern: '^https?://' }),
    /** Spreads an hour's texts over this many seconds; each subscriber always has the same place. */
    SEND_SPREAD_SECONDS: Type.Integer({ minimum: 0, maximum: 3_599, default: 0 }),
    /** Texts per release to sms-gateway. Its contract allows 50. */
    SMS_BATCH_SIZE: Type.Integer({ minimum: 1, maximum: 50, default: 50 }),
  });
export type SchedulerConfig = ReturnType<typeof loadSchedulerConfig>;

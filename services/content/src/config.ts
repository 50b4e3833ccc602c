import {
  calledConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  processConfig,
} from '@daylift/server/load-config';
import { Type } from 'typebox';

export function loadContentConfig(environment?: NodeJS.ProcessEnv) {
  const config = loadConfig(
    {
      ...processConfig,
      ...databaseConfig,
      ...eventsConfig,
      ...calledConfig,
      PRODUCT_NAME: Type.String({ minLength: 1, maxLength: 100 }),
      SUPPORT_EMAIL: Type.String({ pattern: '@' }),
      /** Time zone that defines today's message on the dashboard. */
      OPERATOR_TIMEZONE: Type.String({ default: 'America/New_York' }),
    },
    environment,
  );
  try {
    Temporal.Now.instant().toZonedDateTimeISO(config.OPERATOR_TIMEZONE);
  } catch {
    throw new Error('OPERATOR_TIMEZONE is not a time zone such as America/New_York.');
  }
  return config;
}
export type ContentConfig = ReturnType<typeof loadContentConfig>;

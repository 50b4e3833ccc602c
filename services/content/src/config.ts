import {
  calledConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  operatorConfig,
  processConfig,
} from '@daylift/server/load-config';
import { Type } from 'typebox';

export const loadContentConfig = (environment?: NodeJS.ProcessEnv) =>
  loadConfig(
    {
      ...processConfig,
      ...databaseConfig,
      ...eventsConfig,
      ...calledConfig,
      ...operatorConfig,
      PRODUCT_NAME: Type.String({ minLength: 1, maxLength: 100 }),
      SUPPORT_EMAIL: Type.String({ pattern: '@' }),
    },
    environment,
  );
export type ContentConfig = ReturnType<typeof loadContentConfig>;

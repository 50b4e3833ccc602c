import type { ServiceContext } from '@daylift/events/run-service';
import type { ContentConfig } from './config.ts';
import type { ContentDatabase } from './database.ts';
import type { ContentDeps } from './deps.ts';

export const createDeps = (
  config: ContentConfig,
  { db, clock }: ServiceContext<ContentDatabase>,
): ContentDeps => ({
  db,
  clock,
  product: { name: config.PRODUCT_NAME, supportEmail: config.SUPPORT_EMAIL },
  operatorTimeZone: config.OPERATOR_TIMEZONE,
});

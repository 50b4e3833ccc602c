import type { ServiceContext } from '@daylift/events/run-service';
import { createInternalClient } from '@daylift/server/internal-client';
import type { SchedulerConfig } from './config.ts';
import type { SchedulerDatabase } from './database.ts';
import type { SchedulerDeps } from './deps.ts';

export function createDeps(
  config: SchedulerConfig,
  { db, clock }: ServiceContext<SchedulerDatabase>,
): SchedulerDeps {
  const key = { issuer: 'scheduler', privateKey: config.IDENTITY_PRIVATE_KEY } as const;
  return {
    db,
    clock,
    accounts: createInternalClient({
      key,
      to: 'accounts',
      baseUrl: config.ACCOUNTS_URL,
    }),
    smsGateway: createInternalClient({
      key,
      to: 'sms-gateway',
      baseUrl: config.SMS_GATEWAY_URL,
    }),
    spreadMs: config.SEND_SPREAD_SECONDS * 1000,
    batchSize: config.SMS_BATCH_SIZE,
    operatorTimezone: config.OPERATOR_TIMEZONE,
    retentionMonths: config.RETENTION_MONTHS,
    manualSendWaitMs: 20_000,
  };
}

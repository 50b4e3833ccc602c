import type { Clock } from '@daylift/clock/clock';
import { createInternalClient, type InternalClient } from '@daylift/server/internal-client';
import type { Kysely } from 'kysely';
import type { loadSchedulerConfig } from './config.ts';
import type { SchedulerDatabase } from './database.ts';

export interface SchedulerDeps {
  db: Kysely<SchedulerDatabase>;
  clock: Clock;
  accounts: InternalClient;
  smsGateway: InternalClient;
  /** Time span over which an hour's texts are spread. */
  spreadMs: number;
  /** Texts per hand-over, at most 50. */
  batchSize: number;
  operatorTimezone: string;
  /** Wall-clock time that a manual send waits for its batch before it responds. */
  staffSendWaitMs: number;
}

export function createDeps(
  config: ReturnType<typeof loadSchedulerConfig>,
  { db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>,
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
    staffSendWaitMs: 20_000,
  };
}

import type { Clock } from '@daylift/clock/clock';
import { createInternalClient, type InternalClient } from '@daylift/server/internal-client';
import type { Kysely } from 'kysely';
import type { loadSchedulerConfig } from './config.ts';
import type { SchedulerDatabase } from './database.ts';

/** What the routes, loops and consumers of this service reach beyond their arguments. */
export interface SchedulerDeps {
  db: Kysely<SchedulerDatabase>;
  clock: Clock;
  accounts: InternalClient;
  smsGateway: InternalClient;
  /** Texts of one hour are spread over this span from its start. */
  spreadMs: number;
  /** Texts in one hand-over, at most 50. */
  batchSize: number;
  operatorTimezone: string;
  /** How long, on the wall clock, a staff send waits for its batch before it answers. */
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

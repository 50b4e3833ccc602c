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
  return {
    db,
    clock,
    accounts: createInternalClient({
      from: 'scheduler',
      to: 'accounts',
      baseUrl: config.ACCOUNTS_URL,
      secret: config.INTERNAL_TOKEN_SECRET,
    }),
    smsGateway: createInternalClient({
      from: 'scheduler',
      to: 'sms-gateway',
      baseUrl: config.SMS_GATEWAY_URL,
      secret: config.INTERNAL_TOKEN_SECRET,
    }),
    spreadMs: config.SEND_SPREAD_SECONDS * 1000,
    batchSize: config.SMS_BATCH_SIZE,
    operatorTimezone: config.OPERATOR_TIMEZONE,
    staffSendWaitMs: 20_000,
  };
}

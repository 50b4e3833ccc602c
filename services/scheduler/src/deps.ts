import type { Clock } from '@daylift/clock/clock';
import type { InternalClient } from '@daylift/server/internal-client';
import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from './database.ts';

export interface SchedulerDeps {
  db: Kysely<SchedulerDatabase>;
  clock: Clock;
  accounts: InternalClient;
  smsGateway: InternalClient;
  /** Time span over which an hour's texts are spread. */
  spreadMs: number;
  /** Texts per release, at most 50. */
  batchSize: number;
  operatorTimezone: string;
  /** Months for which dispatches are kept. */
  retentionMonths: number;
  /** Wall-clock time that a manual send waits for its batch before it responds. */
  manualSendWaitMs: number;
}

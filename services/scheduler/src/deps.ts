import type { Clock } from '@daylift/clock/clock';
import type { InternalClient } from '@daylift/server/internal-client';
import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from './database.ts';

/** What the routes, loops and consumers of this service reach beyond their arguments. */
export interface SchedulerDeps {
  db: Kysely<SchedulerDatabase>;
  clock: Clock;
  smsGateway: InternalClient;
  /** Texts of one hour are spread over this span from its start. */
  spreadMs: number;
  /** Texts in one hand-over, at most 50. */
  batchSize: number;
  operatorTimezone: string;
  /** How long, on the wall clock, a staff send waits for its batch before it answers. */
  staffSendWaitMs: number;
}

import type { Clock } from '@daylift/clock/clock';
import type { Logger } from '@daylift/server/logger';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SenderSeed } from './senders.table.ts';

export interface PoolDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  log: Logger;
  /** Added to an empty pool of senders. */
  seed: SenderSeed;
  /** Returns the country of a number, or null if it isn't served. */
  servedCountry(number: string): Promise<string | null>;
}

import type { Clock } from '@daylift/clock/clock';
import type { Kysely } from 'kysely';
import type { ContentDatabase } from './database.ts';

export interface ContentDeps {
  db: Kysely<ContentDatabase>;
  clock: Clock;
  product: { name: string; supportEmail: string };
  operatorTimeZone: string;
}
